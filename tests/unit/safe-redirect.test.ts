import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeRedirect } from "#app/server/http/paths.ts";

const site = "https://ringback.example";

const resolved = (location: string) => new URL(location, `${site}/login`);

describe("a path of this site is kept:", () => {
  test.each([
    "/",
    "/manage",
    "/products/0190/book?after=1#top",
    "/products?x=https://evil.example",
    "/a%2F%2Fevil.example",
    "/products?next=//evil.example",
  ])("%s", (target) => expect(safeRedirect(target)).toBe(target));
});

describe("the home page replaces", () => {
  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/\\/evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\\evil.example",
    "\t//evil.example",
    " //evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "/./\\evil.example",
    "http://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https://evil.example/manage",
    "HTTPS://evil.example",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,hello",
    "//user@evil.example",
    "//[",
    "manage",
    "?x",
    "#x",
    "",
  ])("%j", (target) => expect(safeRedirect(target)).toBe("/"));

  test.each([null, undefined, new File(["/manage"], "a.txt")])("%s, which is not text", (target) => {
    expect(safeRedirect(target)).toBe("/");
  });

  test("anything else: a given fallback replaces it", () => {
    expect(safeRedirect("//evil.example", "/products")).toBe("/products");
  });
});

test("a very long path is kept", () => {
  const long = `/${"a".repeat(100_000)}`;
  expect(safeRedirect(long)).toBe(long);
  expect(safeRedirect(`/${"/".repeat(100_000)}evil.example`)).toBe("/");
});

test("no input leads to another site", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    ":",
    "@",
    "\t",
    "\n",
    "%2f",
    "%2e",
    "?",
    "#",
    "https:",
    "evil",
  );
  const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (target) => {
      const safe = safeRedirect(target);
      expect(resolved(safe).origin).toBe(site);
      expect(safe).not.toMatch(/[\r\n]/);
    }),
    { numRuns: 500 },
  );
});
