import { type Condition, conditions } from "#app/db/enums.ts";
import { isoMonth } from "#app/time.ts";
import { attributes, attributesWith, type ModelName, type Stated } from "../listings/attributes.ts";
import { comparisonKey } from "../listings/device-variant.rules.ts";
import {
  countedSales,
  type DetailedSale,
  type FairPrice,
  fairPriceFromSales,
  maxComparedSales,
} from "../listings/fair-price.rules.ts";
import { compareSizes, sizeLabel } from "../listings/size.rules.ts";

export interface CheapestListing {
  id: string;
  rom: string;
  condition: Condition | null;
  cents: number;
  count: number;
}

export interface CheapestTable {
  /** The columns; null is "not stated". */
  conditions: (Condition | null)[];
  /** In column order; null if there is none. */
  rows: { rom: string; cells: (CheapestListing | null)[] }[];
}

export interface MonthOfSales {
  month: string;
  count: number;
  /** As for the usual price; null if there are too few sales. */
  prices: FairPrice | null;
}

export interface ModelSales {
  count: number;
  isCapped: boolean;
  prices: FairPrice | null;
  /** Of the last twelve months those since the first sale, oldest first. */
  months: MonthOfSales[];
}

/** The values of one property in the listings of a model; different spellings count as one value. */
export interface SpecificationRow {
  term: string;
  values: string[];
  hasMore: boolean;
}

type ListingFacts = Stated<ModelName> & { count: number };

const maxStorages = 12;
const maxValues = 4;
const monthsShown = 12;

/** `Map.groupBy` of newer versions of Node, where the development server runs. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

export function cheapestTable(listings: readonly CheapestListing[]): CheapestTable {
  const columns = [...conditions.toReversed(), null].filter((condition) =>
    listings.some((listing) => listing.condition === condition),
  );
  const storages = groupBy(listings, ({ rom }) => comparisonKey(rom));
  const rows = [...storages.values()]
    .map((group) => ({ rom: mostFrequent(group).rom, count: total(group), group }))
    .sort((one, other) => other.count - one.count)
    .slice(0, maxStorages)
    .sort((one, other) => compareSizes(one.rom, other.rom));
  return {
    conditions: columns,
    rows: rows.map(({ rom, group }) => ({
      rom,
      cells: columns.map((column) => cheapest(group.filter(({ condition }) => condition === column))),
    })),
  };
}

function cheapest(listings: CheapestListing[]): CheapestListing | null {
  const [first] = listings.toSorted((one, other) => one.cents - other.cents);
  return first ? { ...first, count: total(listings) } : null;
}

function mostFrequent<Row extends { count: number }>(rows: Row[]): Row {
  return rows.reduce((most, row) => (row.count > most.count ? row : most));
}

function total(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

const usualPrice = (sales: readonly DetailedSale[]) =>
  fairPriceFromSales(countedSales(sales, maxComparedSales));

/**
 * Computes the price statistics of a model's sales, in total and by month (UTC), of the storages that have a usual price.
 * What is far off is judged within a storage, which takes sales enough to judge by.
 *
 * @param sales newest first
 */
export function modelSales(sales: readonly DetailedSale[], limit: number, now: Date): ModelSales {
  const counted = [...groupBy(sales, ({ rom }) => sizeLabel(rom)).values()].flatMap((ofStorage) =>
    usualPrice(ofStorage) ? countedSales(ofStorage, limit) : [],
  );
  const byMonth = groupBy(counted, ({ soldAt }) => isoMonth(new Date(soldAt)));
  const months = Array.from({ length: monthsShown }, (_, index) => {
    const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsShown + 1 + index);
    const month = isoMonth(new Date(start));
    const sold = byMonth.get(month) ?? [];
    return { month, count: sold.length, prices: fairPriceFromSales(sold) };
  });
  const prices = fairPriceFromSales(counted);
  const firstSold = Math.max(
    0,
    months.findIndex(({ count: sold }) => sold > 0),
  );
  return {
    count: counted.length,
    isCapped: sales.length >= limit,
    prices,
    months: prices ? months.slice(firstSold) : [],
  };
}

interface StoragePrices {
  storage: string;
  /** As for the usual price; null if there are too few sales, as are the others. */
  prices: FairPrice | null;
  /** Those that were sold, the best first; null is "not stated". */
  conditions: { condition: Condition | null; prices: FairPrice | null }[];
}

/**
 * What a model was sold for, by storage and condition. The rules of the usual price hold for each by itself, as does the
 * limit: a condition has the newest sales of its own.
 *
 * @param sales newest first
 * @param storages that are known beside those that were sold
 */
export function pricesByStorage(
  sales: readonly DetailedSale[],
  storages: readonly string[],
): StoragePrices[] {
  const bySize = groupBy(sales, ({ rom }) => sizeLabel(rom));
  const labels = [...new Set([...storages.map(sizeLabel), ...bySize.keys()])];
  return labels.sort(compareSizes).map((storage) => {
    const ofStorage = bySize.get(storage) ?? [];
    return {
      storage,
      prices: usualPrice(ofStorage),
      conditions: [...conditions.toReversed(), null].flatMap((condition) => {
        const some = ofStorage.filter((sale) => sale.condition === condition);
        return some.length > 0 ? [{ condition, prices: usualPrice(some) }] : [];
      }),
    };
  });
}

export function modelSpecifications(listings: readonly ListingFacts[]): SpecificationRow[] {
  if (listings.length === 0) return [];
  return attributesWith("ofModel").map((property) => {
    const { term } = attributes[property];
    const values = [...groupBy(listings, (listing) => comparisonKey(listing[property])).values()]
      .map((group) => ({ value: mostFrequent(group)[property], count: total(group) }))
      .sort((one, other) => other.count - one.count);
    const shown = values.slice(0, maxValues).map(({ value }) => value);
    if (property === "rom" || property === "ram") shown.sort(compareSizes);
    return { term, values: shown, hasMore: values.length > maxValues };
  });
}
