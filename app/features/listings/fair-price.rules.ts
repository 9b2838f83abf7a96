import type { Condition } from "#app/db/enums.ts";
import { dayMs } from "#app/time.ts";

/** Statistics of the sale prices of one model and storage, in cents. */
export interface FairPrice {
  count: number;
  median: number;
  lowest: number;
  highest: number;
}

/** A sale whose sides have both confirmed their address and are not suspended. */
interface ProvenSale {
  cents: number;
  /** The time of the booking in milliseconds. */
  soldAt: number;
  buyerId: string;
  sellerId: string;
}

/** With what a price depends on. */
export interface DetailedSale extends ProvenSale {
  rom: string;
  /** Null if the seller stated none. */
  condition: Condition | null;
}

/** Fewer give no usual price: two accounts could set it between them. */
const minSides = 3;
/** The newest sales that count. */
export const maxComparedSales = 20;
/** Of the sales of one seller to one buyer within so many days, only one counts. */
const onePerPairDays = 90;
/** A price that is so many times the median, or less than that part of it, is left out. */
const farTimes = 2;
/** The home page shows a bargain only where the usual price stands on so many sales. */
export const minSalesOnHome = 10;

/**
 * The newest sales that count: one of each pair within `onePerPairDays`, without prices that are far from the median.
 *
 * @param sales newest first
 */
export function countedSales<Sale extends ProvenSale>(sales: readonly Sale[], limit: number): Sale[] {
  const counted = new Map<string, number>();
  const newest = sales
    .filter(({ buyerId, sellerId, soldAt }) => {
      const pair = `${sellerId} ${buyerId}`;
      const later = counted.get(pair);
      if (later !== undefined && later - soldAt < onePerPairDays * dayMs) return false;
      counted.set(pair, soldAt);
      return true;
    })
    .slice(0, limit);
  const { median } = priceStatistics(newest.map(({ cents }) => cents));
  return newest.filter(({ cents }) => cents <= median * farTimes && cents * farTimes >= median);
}

/** Computes the price statistics of sales that count; null unless at least three sellers and three buyers took part. */
export function fairPriceFromSales(sales: readonly ProvenSale[]): FairPrice | null {
  const sellers = new Set(sales.map(({ sellerId }) => sellerId));
  const buyers = new Set(sales.map(({ buyerId }) => buyerId));
  return Math.min(sellers.size, buyers.size) < minSides
    ? null
    : priceStatistics(sales.map(({ cents }) => cents));
}

function priceStatistics(sales: readonly number[]): FairPrice {
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
