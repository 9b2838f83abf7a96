import fc from "fast-check";
import { expect, test } from "vitest";
import { priceLabel, savingPercent, toAmount } from "#app/features/listings/money.rules.ts";

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
  [100_000, 50_000, 50],
  [69_900, 34_950, 50],
  [99_900, 66_600, 33],
  [100_000, 99_600, 0],
  [100_000, 100, 99],
  [50_000, 50_000, 0],
  [50_000, 60_000, 0],
  [0, 0, 0],
])("%i cents reduced to %i are a saving of %i%%", (marketCents, sellingCents, percent) => {
  expect(savingPercent({ marketCents, sellingCents })).toBe(percent);
});
