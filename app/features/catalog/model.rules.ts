import { type Condition, conditions } from "#app/db/values.ts";
import { type FairPrice, fairPriceFromSales, priceStatistics } from "../listings/fair-price.rules.ts";
import { compareSizes } from "./facets.rules.ts";

/** The cheapest phone of a model that can be bought with this storage and in this condition. */
export interface CheapestOffer {
  id: string;
  rom: string;
  condition: Condition | null;
  cents: number;
  /** How many there are like it. */
  count: number;
}

/** The cheapest offers of a model; columns that have none are left out. */
export interface OfferTable {
  /** Null where the seller has not stated it. */
  conditions: (Condition | null)[];
  /** In the order of the columns; null where there is none. */
  rows: { rom: string; offers: (CheapestOffer | null)[] }[];
}

/** A sale: the price in cents, and when the phone was booked, in milliseconds. */
export type Sale = [cents: number, bookedAt: number];

/** What a model sold for in a month, like "2026-11". */
export interface MonthOfSales {
  month: string;
  /** Null where nothing was sold. */
  prices: FairPrice | null;
}

/** What a model sold for here. */
export interface ModelSales {
  count: number;
  /** Whether there are more, which were not read. */
  isCapped: boolean;
  /** Null when there were too few. */
  prices: FairPrice | null;
  /** The last twelve, the oldest first. */
  months: MonthOfSales[];
}

/** What listings of a model say of one property; values that several sellers write in different ways are one. */
export interface Specification {
  term: string;
  /** The most frequent first; sizes from small to large. */
  values: string[];
  /** Whether there are further values. */
  hasMore: boolean;
}

/** Properties of a listing that its model has, with how many listings say the same. */
export interface ListingFacts {
  rom: string;
  ram: string;
  camera: string;
  processor: string;
  battery: string;
  os: string;
  deviceType: string;
  count: number;
}

/** Rows of the table of offers, at most. */
const maxStorages = 12;
/** Values of one property that are named, at most. */
const maxValues = 4;
const monthsShown = 12;

/** Spaces and letter case make no difference: "128GB" is "128 GB". */
function folded(value: string): string {
  return value.toLowerCase().replace(/\s+/g, "");
}

/** Orders the cheapest offers by storage and condition; of several for one storage the cheapest one remains. */
export function offerTable(offers: readonly CheapestOffer[]): OfferTable {
  const columns = [...conditions.toReversed(), null].filter((condition) =>
    offers.some((offer) => offer.condition === condition),
  );
  const storages = Map.groupBy(offers, ({ rom }) => folded(rom));
  const rows = [...storages.values()]
    .map((group) => ({ rom: mostFrequent(group).rom, count: total(group), group }))
    .sort((one, other) => other.count - one.count)
    .slice(0, maxStorages)
    .sort((one, other) => compareSizes(one.rom, other.rom));
  return {
    conditions: columns,
    rows: rows.map(({ rom, group }) => ({
      rom,
      offers: columns.map((column) => cheapest(group.filter(({ condition }) => condition === column))),
    })),
  };
}

function cheapest(offers: CheapestOffer[]): CheapestOffer | null {
  const [first] = offers.toSorted((one, other) => one.cents - other.cents);
  return first ? { ...first, count: total(offers) } : null;
}

function mostFrequent<Row extends { count: number }>(rows: Row[]): Row {
  return rows.reduce((most, row) => (row.count > most.count ? row : most));
}

function total(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Puts the sales of a model together, in all and by month (UTC).
 *
 * @param most how many were read at most
 */
export function modelSales(sales: readonly Sale[], most: number, now: Date): ModelSales {
  const byMonth = Map.groupBy(sales, ([, bookedAt]) => new Date(bookedAt).toISOString().slice(0, 7));
  const months = Array.from({ length: monthsShown }, (_, index) => {
    const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsShown + 1 + index);
    const month = new Date(start).toISOString().slice(0, 7);
    const prices = byMonth.get(month)?.map(([cents]) => cents);
    return { month, prices: prices ? priceStatistics(prices) : null };
  });
  const prices = fairPriceFromSales(sales.map(([cents]) => cents));
  return { count: sales.length, isCapped: sales.length >= most, prices, months: prices ? months : [] };
}

const factTerms: [term: string, property: Exclude<keyof ListingFacts, "count">][] = [
  ["Storage", "rom"],
  ["RAM", "ram"],
  ["Camera", "camera"],
  ["Processor", "processor"],
  ["Battery", "battery"],
  ["OS", "os"],
  ["Device type", "deviceType"],
];

/** What the listings of a model say of it: one value where they agree, else the most frequent ones. */
export function modelSpecifications(listings: readonly ListingFacts[]): Specification[] {
  if (listings.length === 0) return [];
  return factTerms.map(([term, property]) => {
    const values = [...Map.groupBy(listings, (listing) => folded(listing[property])).values()]
      .map((group) => ({ value: mostFrequent(group)[property], count: total(group) }))
      .sort((one, other) => other.count - one.count);
    const shown = values.slice(0, maxValues).map(({ value }) => value);
    if (property === "rom" || property === "ram") shown.sort(compareSizes);
    return { term, values: shown, hasMore: values.length > maxValues };
  });
}
