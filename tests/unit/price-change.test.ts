import { expect, test } from "vitest";
import { type PriceStep, readTypedPrice, steppedPrice } from "#app/features/listings/price-change.rules.ts";

const step = (direction: PriceStep["direction"], by: PriceStep["by"], endsIn9 = false) => ({
  direction,
  by,
  endsIn9,
});

test.each([
  [34_900, step("lower", { percent: 10 }), 31_410],
  [34_900, step("raise", { percent: 2.5 }), 35_773],
  [34_950, step("lower", { cents: 1_050 }), 33_900],
  // Nothing is left.
  [500, step("lower", { cents: 2_000 }), 0],
  [34_900, step("lower", { percent: 10 }, true), 31_900],
  [31_500, step("raise", { percent: 10 }, true), 34_900],
  // The nearest would be higher, or lower.
  [34_800, step("lower", { percent: 1 }, true), 33_900],
  [34_100, step("raise", { percent: 1 }, true), 34_900],
  [400, step("lower", { percent: 10 }, true), 900],
  [34_100, step("raise", { percent: 0 }, true), 34_100],
])("%i with %o is %i", (cents, by, expected) => {
  expect(steppedPrice(cents, by)).toBe(expected);
});

test("a price is read as everywhere", () => {
  expect(readTypedPrice("$1,250.50")).toEqual({ cents: 125_050 });
  expect(readTypedPrice("0").error).toMatch(/^Price must be between/);
  expect(readTypedPrice("").error).toBe("Price is required");
});
