/** What devices of one kind sold for here; prices in cents. */
export interface FairPrice {
  count: number;
  median: number;
  lowest: number;
  highest: number;
}

/** With fewer sales than this a middle says nothing. */
const fewest = 3;
/** So near to the middle, in per cent, a price is the usual one. */
const near = 5;

/** Puts the sales of a kind of device together; null when they are too few. */
export function fairPriceFromSales(sales: readonly number[]): FairPrice | null {
  return sales.length < fewest ? null : priceStatistics(sales);
}

/** The median and the range of prices in cents, of which there is at least one. */
export function priceStatistics(sales: readonly number[]): FairPrice {
  const sorted = sales.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? 0;
  const half = sorted.length / 2;
  const median = Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half));
  return { count: sorted.length, median: Math.round(median), lowest: at(0), highest: at(sorted.length - 1) };
}

/** How an asking price compares with what is usual, and by how much, in whole per cent of the middle. */
export function comparePrice({ median }: FairPrice, askingCents: number) {
  const percent = Math.round((askingCents / median - 1) * 100);
  const verdict = Math.abs(percent) <= near ? "usual" : percent < 0 ? "below" : "above";
  // What is asked for is never nothing.
  return { verdict, percent: percent < 0 ? Math.min(99, -percent) : percent } as const;
}

/**
 * Where prices stand on a scale that holds them all, with room at both ends.
 *
 * @returns positions from 0 to 100
 */
export function priceScale({ lowest, highest, median }: FairPrice, askingCents: number | null) {
  const ends = askingCents === null ? [lowest, highest] : [lowest, highest, askingCents];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const place = (cents: number) => (most === least ? 50 : 6 + ((cents - least) / (most - least)) * 88);
  return {
    lowest: place(lowest),
    highest: place(highest),
    median: place(median),
    asking: askingCents === null ? null : place(askingCents),
  };
}
