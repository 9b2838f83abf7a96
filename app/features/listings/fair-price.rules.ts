/** Statistics of the sale prices of one model and storage, in cents. */
export interface FairPrice {
  count: number;
  median: number;
  lowest: number;
  highest: number;
}

/** Fewer sales give no meaningful median. */
const minSales = 3;
/** The newest that count. Lists read them for each card. */
export const maxSales = 20;

/** Computes the price statistics of some sales; null if there are fewer than three. */
export function fairPriceFromSales(sales: readonly number[]): FairPrice | null {
  return sales.length < minSales ? null : priceStatistics(sales);
}

export function priceStatistics(sales: readonly number[]): FairPrice {
  const sorted = sales.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? 0;
  const half = sorted.length / 2;
  const median = Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half));
  return { count: sorted.length, median: Math.round(median), lowest: at(0), highest: at(sorted.length - 1) };
}

/** Positions from 0 to 100, with a margin at both ends. */
export function priceScale({ lowest, highest, median }: FairPrice, askingCents: number | null) {
  const ends = askingCents === null ? [lowest, highest] : [lowest, highest, askingCents];
  const [min, max] = [Math.min(...ends), Math.max(...ends)];
  const position = (cents: number) => (max === min ? 50 : 6 + ((cents - min) / (max - min)) * 88);
  return {
    lowest: position(lowest),
    highest: position(highest),
    median: position(median),
    asking: askingCents === null ? null : position(askingCents),
  };
}
