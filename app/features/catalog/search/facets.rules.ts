import { returnDayChoices } from "#app/market.ts";
import {
  type AttributeFilter,
  type AttributeFilterName,
  type AttributeName,
  attributes,
  attributesWith,
} from "../../listings/attributes.ts";
import { compareSizes, sizeLabel } from "../../listings/size.rules.ts";

/** Values of one facet, those with the highest counts. Limited, since a list page has at most 900 elements. */
export const maxChoices = 16;

/** Filters besides words and price. Each is a query parameter. */
export type FacetName = AttributeFilterName | "phones" | "verified" | "returns" | "available";

export type Facet = Omit<AttributeFilter, "name" | "property"> & {
  name: FacetName;
  /** Of `phones`, or of `deviceVariants` if all listings of a variant have the same value. */
  property: AttributeName | "brand" | "category" | "sellerVerified" | "returnDays" | "status";
};

const only = (what: string) => ({ compares: "yes" as const, values: ["yes"], chip: () => `${what} only` });

/** In display order: those of the attributes, and four more. */
export const facets: readonly Facet[] = [
  { name: "phones", legend: "Device type", property: "category", except: "tablet", ...only("Phones") },
  ...attributesWith("filter").map((property) => ({ property, ...attributes[property].filter })),
  { name: "verified", legend: "Seller", property: "sellerVerified", yes: true, ...only("Verified sellers") },
  {
    name: "returns",
    legend: "Returns",
    property: "returnDays",
    compares: "at least",
    values: returnDayChoices.filter((days) => days > 0).map(String),
    chip: (days) => `Returns for ${days} days`,
  },
  { name: "available", legend: "Availability", property: "status", yes: "available", ...only("Available") },
];

/** Whether only one of the values can be chosen. */
export const takesOne = ({ compares }: Facet) => compares === "group" || compares === "at least";

/** The chosen values of each facet, combined with OR; an empty array does not filter. */
export type Filters = Record<FacetName, string[]>;

export const filtersOf = (valuesOf: (facet: Facet) => string[]) =>
  Object.fromEntries(facets.map((facet) => [facet.name, valuesOf(facet)])) as Filters;

/** A facet value, and how many phones match it and all other filters; null if unknown. */
export type FacetChoice = [value: string, count: number | null];

export type FacetChoices = Record<FacetName, FacetChoice[]>;

/** How many phones match in all, and how many have each value of a facet; null where the number is unknown. */
export type FacetCounts = {
  all: number;
  /** How many phones are listed of the devices that match. */
  listed: number;
} & {
  [name in FacetName]?: Record<string, number | null> | null;
};

/** The values of a facet to choose from, in display order: those that phones have, and those already chosen. */
export function choicesOf(
  facet: Facet,
  counts: FacetCounts[FacetName],
  chosen: readonly string[],
): FacetChoice[] {
  if (facet.spelled) return [];
  const found = counts
    ? Object.entries(facet.areSizes ? bySizeLabel(counts) : counts).filter(
        ([value, count]) => count !== 0 && (facet.values?.includes(value) ?? true),
      )
    : (facet.values ?? []).map((value): FacetChoice => [value, null]);
  const isComplete = counts && found.length < maxChoices && found.every(([, count]) => count !== null);
  const missing = chosen.filter((value) => !found.some(([known]) => known === value));
  const choices = [...found, ...missing.map((value): FacetChoice => [value, isComplete ? 0 : null])];
  if (facet.areSizes) return choices.sort(([one], [other]) => compareSizes(one, other));
  const place = (value: string) => facet.values?.indexOf(value) ?? 0;
  return choices.sort(
    ([one, listed], [other, others]) =>
      place(one) - place(other) || (others ?? 0) - (listed ?? 0) || one.localeCompare(other, "en"),
  );
}

/** Older listings have one size as "128GB" and "128 gb". */
function bySizeLabel(counts: Record<string, number | null>) {
  const labeled: Record<string, number | null> = {};
  for (const [value, count] of Object.entries(counts)) {
    const label = sizeLabel(value);
    labeled[label] = count === null ? null : count + (labeled[label] ?? 0);
  }
  return labeled;
}
