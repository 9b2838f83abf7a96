import { expect, test } from "vitest";
import { categoryByPath } from "#app/features/catalog/category.rules.ts";

test.each([
  ["/products", "/products"],
  ["/IOS", "/ios"],
  ["/Tablet/some-id", "/tablet"],
  ["/android/some-id/book", "/android"],
  ["/ios/android", "/ios"],
  ["/products.data", null],
  ["/", null],
  ["/login", null],
  ["//products", null],
])("%s belongs to the list %s", (pathname, path) => {
  if (path) expect(categoryByPath(pathname).path).toBe(path);
  else expect(() => categoryByPath(pathname)).toThrow("No category");
});
