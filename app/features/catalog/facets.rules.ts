import { conditions } from "#app/db/values.ts";

/** What a list can be filtered by, beside words and price. Each is a parameter of the address. */
export type FacetName = "brand" | "rom" | "ram" | "condition" | "battery" | "verified" | "available";

export interface Facet {
  name: FacetName;
  legend: string;
  /** A variant has one value of it; other facets belong to each listing by itself. */
  ofVariant: boolean;
  /** All values there are, in the order in which they are shown; undefined where sellers write their own. */
  values?: readonly string[];
  /** Whether one value at most can be chosen. */
  single?: boolean;
  /** What a value is called among the choices. */
  label?(value: string): string;
  /** What a chosen value is called above the list. */
  chip(value: string): string;
}

/** In the order in which they are shown. docs/search.md says how to add one. */
export const facets: readonly Facet[] = [
  { name: "brand", legend: "Brand", ofVariant: true, chip: (value) => value },
  { name: "rom", legend: "Storage", ofVariant: true, chip: (value) => `${value} storage` },
  { name: "ram", legend: "RAM", ofVariant: true, chip: (value) => `${value} RAM` },
  {
    name: "condition",
    legend: "Condition",
    ofVariant: false,
    values: conditions.toReversed(),
    chip: (value) => `${value} condition`,
  },
  {
    name: "battery",
    legend: "Battery health",
    ofVariant: false,
    values: ["80", "85", "90"],
    single: true,
    label: (value) => `At least ${value}%`,
    chip: (value) => `Battery at least ${value}%`,
  },
  {
    name: "verified",
    legend: "Seller",
    ofVariant: false,
    values: ["yes"],
    label: () => "Verified sellers only",
    chip: () => "Verified sellers only",
  },
  {
    name: "available",
    legend: "Availability",
    ofVariant: false,
    values: ["yes"],
    label: () => "Available only",
    chip: () => "Available only",
  },
];

/** The values that are chosen of each facet; any of them will do, and none means all. */
export type Filters = Record<FacetName, string[]>;

/** Filters that leave nothing out. */
export const noFilters: Filters = {
  brand: [],
  rom: [],
  ram: [],
  condition: [],
  battery: [],
  verified: [],
  available: [],
};

/**
 * A value that can be chosen, and how many phones it would show given everything else that is asked; null where that
 * is unknown.
 */
export type Choice = [value: string, count: number | null];

export type Choices = Record<FacetName, Choice[]>;

/** How many listings have a value; the facet "all" has the one value "". */
export interface FacetCount {
  facet: string;
  value: string;
  count: number;
}

/**
 * The choices of a facet, in the order in which they are shown: those that show something, and `others`.
 *
 * @param isComplete whether a value that was not counted shows nothing
 */
export function choicesOf(
  facet: Facet,
  counts: readonly FacetCount[],
  isComplete: boolean,
  others: readonly string[],
): Choice[] {
  const found = new Map(counts.filter(({ count }) => count > 0).map(({ value, count }) => [value, count]));
  const values = new Set([...found.keys(), ...others]);
  const choices = [...values].map((value): Choice => [value, found.get(value) ?? (isComplete ? 0 : null)]);
  return choices.sort(facet.values ? byIndexIn(facet.values) : facet.name === "brand" ? byCount : bySize);
}

function byIndexIn(values: readonly string[]) {
  return ([one]: Choice, [other]: Choice) => values.indexOf(one) - values.indexOf(other);
}

function byCount(one: Choice, other: Choice): number {
  return (other[1] ?? 0) - (one[1] ?? 0) || byName(one, other);
}

function bySize([one]: Choice, [other]: Choice): number {
  return compareSizes(one, other);
}

function byName([one]: Choice, [other]: Choice): number {
  return one.localeCompare(other, "en");
}

/** Orders sizes of storage or RAM from small to large. */
export function compareSizes(one: string, other: string): number {
  return megabytes(one) - megabytes(other) || one.localeCompare(other, "en");
}

/** How much a seller's "128 GB" is; what is no size comes last. */
function megabytes(value: string): number {
  const [, number, unit = "gb"] = /^\s*(\d+(?:\.\d+)?)\s*([tgm]b?)?\b/i.exec(value) ?? [];
  if (number === undefined) return Number.MAX_VALUE;
  const units: Record<string, number> = { t: 1024 * 1024, g: 1024, m: 1 };
  return Number(number) * (units[unit.charAt(0).toLowerCase()] ?? 1);
}
