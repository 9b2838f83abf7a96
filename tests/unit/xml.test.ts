import { expect, test } from "vitest";
import { xmlText } from "#app/server/http/xml.ts";

test("text stands in XML as it is, whatever is in it", () => {
  expect(xmlText(`<b> & "it's" ]]>`)).toBe("&lt;b&gt; &amp; &quot;it&apos;s&quot; ]]&gt;");
  expect(xmlText("Ström 🎉\t\n")).toBe("Ström 🎉\t\n");
});

test("what XML cannot hold is left out", () => {
  expect(xmlText("a\u0000\u0008\u000b\u001f\ufffe\uffff\ud800b")).toBe("ab");
});
