import { conditions } from "#app/db/values.ts";

/** Filters besides words and price. Each is a query parameter. */
export type FacetName = "brand" | "rom" | "ram" | "condition" | "battery" | "verified" | "available";

export interface Facet {
  name: FacetName;
  legend: string;
  /** Whether all listings of a device variant have the same value. */
  ofVariant: boolean;
  /** All values in display order; undefined for free text of sellers. */
  values?: readonly string[];
  single?: boolean;
  label?(value: string): string;
  chip(value: string): string;
}

/** In display order. To add one, see docs/recipes.md#add-a-filter. */
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

/** The chosen values of each facet, combined with OR; an empty array does not filter. */
export type Filters = Record<FacetName, string[]>;

export const noFilters: Filters = {
  brand: [],
  rom: [],
  ram: [],
  condition: [],
  battery: [],
  verified: [],
  available: [],
};

/** A facet value, and how many phones match it and all other filters; null if unknown. */
export type Choice = [value: string, count: number | null];

export type Choices = Record<FacetName, Choice[]>;

/** How many listings have a value. The facet "all" has only the value "". */
export interface FacetCount {
  facet: string;
  value: string;
  count: number;
}

/** @param isComplete whether values that were not counted match no phones */
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

export function compareSizes(one: string, other: string): number {
  return megabytes(one) - megabytes(other) || one.localeCompare(other, "en");
}

/** Parses a size like "128 GB"; other texts sort last. */
function megabytes(value: string): number {
  const [, number, unit = "gb"] = /^\s*(\d+(?:\.\d+)?)\s*([tgm]b?)?\b/i.exec(value) ?? [];
  if (number === undefined) return Number.MAX_VALUE;
  const units: Record<string, number> = { t: 1024 * 1024, g: 1024, m: 1 };
  return Number(number) * (units[unit.charAt(0).toLowerCase()] ?? 1);
}
