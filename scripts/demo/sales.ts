/** A past sale: listings show what comparable phones were sold for. */
export interface DemoSale {
  slug: string;
  rom: string;
  /** Whole dollars. */
  price: number;
  /** Days between the receipt of the phone and the seeding. */
  daysAgo: number;
}

/**
 * Sales 30 days apart, newest first, so that charts by month have data. The newest was at least 3 and at most 13 days
 * ago: its review is not published yet. Prices are whole dollars.
 */
const sold = (slug: string, rom: string, newestDaysAgo: number, ...prices: number[]): DemoSale[] =>
  prices.map((price, index) => ({ slug, rom, price, daysAgo: newestDaysAgo + 30 * index }));

export const demoSales: DemoSale[] = [
  ...sold("google-pixel-9", "128 GB", 9, 519, 545, 499, 560),
  ...sold("google-pixel-8", "128 GB", 5, 385, 410, 425),
  ...sold("samsung-galaxy-s24", "128 GB", 12, 489, 465, 520, 505),
  ...sold("samsung-galaxy-s23", "128 GB", 3, 429, 450),
  ...sold("apple-iphone-11", "128 GB", 7, 290, 329, 310),
  ...sold("apple-iphone-12", "128 GB", 11, 350, 375, 339, 399, 365),
  ...sold("apple-iphone-13", "128 GB", 6, 420, 379, 405, 430),
  ...sold("apple-iphone-15-pro", "128 GB", 13, 639, 690, 625),
  ...sold("apple-ipad-10", "64 GB", 4, 249, 279, 285),
];

/** Listings with a price cut, and their first price in whole dollars. */
export const demoPriceCuts: [slug: string, rom: string, firstPrice: number][] = [
  ["apple-iphone-12", "128 GB", 399],
  ["apple-ipad-10", "64 GB", 289],
  ["apple-iphone-14", "128 GB", 489],
  ["apple-iphone-15-pro", "128 GB", 680],
  ["samsung-galaxy-s23", "128 GB", 459],
  ["oneplus-7t", "128 GB", 279],
];
