import { conditions } from "#app/db/values.ts";

/** Values of one facet, those with the highest counts. Limited, since a list page has at most 900 elements. */
export const maxChoices = 20;

/** Filters besides words and price. Each is a query parameter. */
export type FacetName = "brand" | "rom" | "ram" | "condition" | "battery" | "verified" | "available";

export interface Facet {
  name: FacetName;
  legend: string;
  /** In `phones`, or in `device_variants` if all listings of a variant have the same value. */
  column: string;
  ofVariant: boolean;
  compares: "one of" | "at least" | "yes";
  /** The value of the column that "yes" stands for. */
  yes?: true | string;
  /** All values in display order; undefined for free text of sellers. */
  values?: readonly string[];
  label?(value: string): string;
  chip(value: string): string;
}

/** In display order. To add one, see docs/recipes.md#add-a-filter. */
export const facets: readonly Facet[] = [
  {
    name: "brand",
    legend: "Brand",
    column: "brand",
    ofVariant: true,
    compares: "one of",
    chip: (value) => value,
  },
  {
    name: "rom",
    legend: "Storage",
    column: "rom",
    ofVariant: true,
    compares: "one of",
    chip: (value) => `${value} storage`,
  },
  {
    name: "ram",
    legend: "RAM",
    column: "ram",
    ofVariant: true,
    compares: "one of",
    chip: (value) => `${value} RAM`,
  },
  {
    name: "condition",
    legend: "Condition",
    column: "condition",
    ofVariant: false,
    compares: "one of",
    values: conditions.toReversed(),
    chip: (value) => `${value} condition`,
  },
  {
    name: "battery",
    legend: "Battery health",
    column: "battery_health",
    ofVariant: false,
    compares: "at least",
    values: ["80", "85", "90"],
    label: (value) => `At least ${value}%`,
    chip: (value) => `Battery at least ${value}%`,
  },
  {
    name: "verified",
    legend: "Seller",
    column: "seller_verified",
    ofVariant: false,
    compares: "yes",
    yes: true,
    values: ["yes"],
    label: () => "Verified sellers only",
    chip: () => "Verified sellers only",
  },
  {
    name: "available",
    legend: "Availability",
    column: "status",
    ofVariant: false,
    compares: "yes",
    yes: "available",
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

/** How many phones match in all, and how many have each value of a facet; null where the number is unknown. */
export type FacetCounts = { all: number } & {
  [name in FacetName]?: Record<string, number | null> | null;
};

/** The values of a facet to choose from, in display order: those that phones have, and those already chosen. */
export function choicesOf(facet: Facet, counts: FacetCounts[FacetName], chosen: readonly string[]): Choice[] {
  const found = counts
    ? Object.entries(counts).filter(([, count]) => count !== 0)
    : (facet.values ?? []).map((value): Choice => [value, null]);
  const isComplete = counts && found.length < maxChoices && found.every(([, count]) => count !== null);
  const missing = chosen.filter((value) => !found.some(([known]) => known === value));
  const choices = [...found, ...missing.map((value): Choice => [value, isComplete ? 0 : null])];
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
