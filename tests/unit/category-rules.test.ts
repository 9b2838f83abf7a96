import { expect, test } from "vitest";
import { categoryAt } from "#app/features/listings/category.rules.ts";

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
  if (path) expect(categoryAt(pathname).path).toBe(path);
  else expect(() => categoryAt(pathname)).toThrow("No category");
});
