import { expect, test } from "vitest";
import { categories, categoryByPath } from "#app/features/listings/category.rules.ts";

test("there are the four lists of the specification", () => {
  expect(categories.map(({ path, heading, filter }) => [path, heading, filter])).toEqual([
    ["/products", "All Products", {}],
    ["/android", "Android Devices", { os: "Android", deviceType: "Smart Phone" }],
    ["/ios", "Android Devices", { os: "Ios", deviceType: "Smart Phone" }],
    ["/tablet", "Tablets", { deviceType: "Tablet" }],
  ]);
});

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
])("%s stands on %s", (pathname, path) => {
  if (path) expect(categoryByPath(pathname).path).toBe(path);
  else expect(() => categoryByPath(pathname)).toThrow("No category");
});
