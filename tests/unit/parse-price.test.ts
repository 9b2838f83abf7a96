import fc from "fast-check";
import { expect, test } from "vitest";
import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";

const { sellingPrice } = phoneSchema.shape;

test.each([
  ["349", 34_900],
  ["349.5", 34_950],
  ["349.50", 34_950],
  ["349,5", 34_950],
  ["349,50", 34_950],
  [" $ 349,50 ", 34_950],
  ["1,23", 123],
  ["1,234", 123_400],
  ["1,234.50", 123_450],
  ["1234,50", 123_450],
  ["99,999", 9_999_900],
  ["1,299.00", 129_900],
  ["1 299", 129_900],
  ["1 299.50", 129_950],
  ["1\u00A0299", 129_900],
  ["1\u202F299", 129_900],
  ["1'299", 129_900],
  ["1’299.00", 129_900],
  ["$299.99 ", 29_999],
  ["us$500", 50_000],
  ["500 USD", 50_000],
  ["USD 500", 50_000],
  ["500 dollars", 50_000],
  ["349$", 34_900],
  ["３４９", 34_900],
  ["＄３４９．５０", 34_950],
])("%s is %i cents in a form and in a filter", (typed, cents) => {
  expect(sellingPrice.parse(typed)).toBe(cents);
  expect(parsePrice(typed)).toBe(cents);
});

test.each([
  "1,2345",
  "12345,678",
  "1,234,5",
  "1,234,50",
  "1.234,50",
  "1.234.567",
  "12,34.50",
  "1,,234",
  ",50",
  "349.999",
  "1e3",
  "-5",
  "",
  "free",
  "1.000",
  "1.299,00",
  "500€",
  "€500",
  "500 EUR",
  "1 2345",
  "1 299'000",
  "$",
  "USD",
])("%j is no price in a form or a filter", (typed) => {
  expect(sellingPrice.safeParse(typed).success).toBe(false);
  expect(parsePrice(typed)).toBeNull();
});

test("all ways to write a price mean the same", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000_000 }), (cents) => {
      const [dollars = "", decimals = ""] = (cents / 100).toFixed(2).split(".");
      const grouped = Number(dollars).toLocaleString("en-US");
      for (const typed of [`${dollars}.${decimals}`, `${dollars},${decimals}`, `${grouped}.${decimals}`]) {
        expect([typed, sellingPrice.parse(typed), parsePrice(typed)]).toEqual([typed, cents, cents]);
      }
    }),
  );
});
