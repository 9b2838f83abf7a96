import { expect, test } from "vitest";
import { xmlText } from "#app/server/http/xml.ts";

test("special characters are escaped", () => {
  expect(xmlText(`<b> & "it's" ]]>`)).toBe("&lt;b&gt; &amp; &quot;it&apos;s&quot; ]]&gt;");
  expect(xmlText("Ström 🎉\t\n")).toBe("Ström 🎉\t\n");
});

test("characters that XML does not allow are removed", () => {
  expect(xmlText("a\u0000\u0008\u000b\u001f\ufffe\uffff\ud800b")).toBe("ab");
});
