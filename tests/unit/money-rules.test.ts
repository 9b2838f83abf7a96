import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bargainLabel,
  priceDifferenceLabel,
  priceLabel,
  toAmount,
} from "#app/features/listings/money.rules.ts";

test.each([
  [0, 0, "$0"],
  [1, 0.01, "$0.01"],
  [90, 0.9, "$0.90"],
  [34_900, 349, "$349"],
  [34_950, 349.5, "$349.50"],
  [109_900, 1099, "$1,099"],
  [123_456_789, 1_234_567.89, "$1,234,567.89"],
])("%i cents are %d dollars and read %s", (cents, dollars, label) => {
  expect(toAmount(cents)).toBe(dollars);
  expect(priceLabel(cents)).toBe(label);
});

test("cents survive the conversion to dollars and labels", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      expect(Math.round(toAmount(cents) * 100)).toBe(cents);
      expect(Math.round(Number(priceLabel(cents).replace(/[$,]/g, "")) * 100)).toBe(cents);
    }),
  );
});

test.each([
  [27_900, 29_200, "$13 below the usual price", true],
  [100, 20_000, "$199 below the usual price", true],
  [30_500, 29_200, "$13 above the usual price", false],
  // Within 2% it is the usual price.
  [19_600, 20_000, null, false],
  [20_400, 20_000, null, false],
  [20_000, null, null, false],
])("%i cents where %s are usual: %s", (sellingCents, usualCents, label, isBargain) => {
  expect(priceDifferenceLabel(sellingCents, usualCents)).toBe(label);
  expect(bargainLabel(sellingCents, usualCents)).toBe(isBargain ? label : null);
});
