import fc from "fast-check";
import { decode } from "turbo-stream";
import { expect, test } from "vitest";
import { fromJson, toJson } from "#app/platform/page-data.ts";
import { asTurboStream } from "#app/platform/turbo-stream.ts";

/** What loaders may return: plain data and dates, with keys that mean something elsewhere. */
const pageData = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("</script>", "<!--", "\u2028", "D", "_0", "$date"),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.date({ noInvalidDate: true }),
    fc.array(tie("value")),
    fc.dictionary(
      fc.string().filter((key) => !["__proto__", "$date"].includes(key)),
      tie("value"),
    ),
  ),
})).value;

test("what Remix reads is what a page was given", async () => {
  await fc.assert(
    fc.asyncProperty(pageData, async (data) => {
      const { value, done } = await decode(asTurboStream(fromJson(toJson({ data }))));
      await done;
      expect(value).toEqual({ data });
    }),
  );
});

test("undefined is left out, as in any JSON", () => {
  expect(fromJson(toJson({ a: undefined, b: null }))).toEqual({ b: null });
});

test.each([new Map(), new Set(), Promise.resolve(1), () => 1, new URL("https://a.example")])(
  "what JSON cannot say is refused: %s",
  (value) => {
    expect(() => toJson({ deep: [value] })).toThrow(TypeError);
  },
);
