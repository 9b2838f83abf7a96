import { expect, test } from "vitest";
import { countedSales, fairPriceFromSales, priceScale } from "#app/features/listings/fair-price.rules.ts";

/** Sales between different people. */
const salesOf = (...prices: number[]) =>
  prices.map((cents, index) => ({
    cents,
    soldAt: 0,
    buyerId: `buyer ${index}`,
    sellerId: `seller ${index}`,
  }));

const usualPrice = (...prices: number[]) => fairPriceFromSales(countedSales(salesOf(...prices), 20));

test("a usual price needs three sales", () => {
  expect(usualPrice()).toBe(null);
  expect(usualPrice(10_000, 20_000)).toBe(null);
  expect(usualPrice(30_000, 10_000, 20_000)).toEqual({
    count: 3,
    median: 20_000,
    lowest: 10_000,
    highest: 30_000,
  });
  expect(usualPrice(40_000, 10_000, 20_001, 20_000)?.median).toBe(20_001);
});

test.each([100, 14_999, 63_001, 9_000_000])("a price of %i is too far from the others to count", (far) => {
  const usual = { count: 3, median: 31_000, lowest: 30_000, highest: 32_000 };
  expect(usualPrice(30_000, 31_000, 32_000, far)).toEqual(usual);
});

test("the scale keeps all prices in order", () => {
  const fair = { count: 3, median: 20_000, lowest: 10_000, highest: 30_000 };
  for (const askingCents of [100, 10_000, 20_000, 30_000, 9_000_000]) {
    const { lowest, median, highest, asking } = priceScale(fair, askingCents);
    expect(lowest).toBeLessThanOrEqual(median);
    expect(median).toBeLessThanOrEqual(highest);
    for (const place of [lowest, median, highest, asking ?? -1]) {
      expect(place).toBeGreaterThanOrEqual(6);
      expect(place).toBeLessThanOrEqual(94);
    }
  }
  const one = priceScale({ count: 3, median: 500, lowest: 500, highest: 500 }, 500);
  expect(one).toEqual({ lowest: 50, median: 50, highest: 50, asking: 50 });
  expect(priceScale(fair, null).asking).toBe(null);
});
