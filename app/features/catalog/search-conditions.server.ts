import { and, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { deviceVariants, phones } from "#app/db/schema.ts";
import type { Category } from "../listings/category.rules.ts";
import { type Facet, type FacetName, facets } from "./facets.rules.ts";
import type { SearchQuery } from "./search-query.rules.ts";
import { hasWords, type MemoryTerm, searchTerms } from "./search-words.rules.ts";

export interface Search {
  category: Pick<Category, "key">;
  query: SearchQuery;
  variantCondition?: SQL;
  /**
   * A relaxed facet is a facet whose own filter is ignored while its values are counted. All are of variants, or all of
   * listings. A row may fail the filter of one of them at most.
   */
  relaxedFacets?: Facet[];
}

/** The condition for variants that match a search and have listed phones. */
export function variantsMatching(search: Search): SQL | undefined {
  const { category, query, variantCondition } = search;
  return and(
    gt(deviceVariants.listed, 0),
    variantCondition,
    category.key === "products" ? undefined : eq(deviceVariants.category, category.key),
    wordsCondition(query.words),
    facetConditions(search, true),
  );
}

/** The condition on `device_variants` for the typed words; undefined if there are none. */
export function wordsCondition(words: string): SQL | undefined {
  const { match, memory } = searchTerms(words);
  return and(match === null ? undefined : matchesText(match), ...memory.map(matchesMemory));
}

function matchesText(match: string): SQL {
  return sql`id in (select rowid from device_variants_fts where device_variants_fts match ${match})`;
}

/** Storage and RAM are columns, not words of the index: "iphone 12" must not find 12 GB, nor 128 GB by its prefix. */
function matchesMemory({ match, size, columns }: MemoryTerm): SQL {
  return sql`(${sql.join([matchesText(match), ...columns.map((column) => hasSize(column, size))], sql` or `)})`;
}

/** The distinct values are few, and `facet_counts` lists them. Sellers write "128GB", "128 gb" or "128". */
function hasSize(column: "rom" | "ram", size: string): SQL {
  return sql`${sql.identifier(column)} in (select value from facet_counts
    where category = 'products' and facet = ${sql.raw(`'${column}'`)}
      and rtrim(lower(replace(value, ' ', '')), 'gb') = ${size})`;
}

export function facetConditions({ query, relaxedFacets = [] }: Search, ofVariant: boolean): SQL | undefined {
  const chosen = facets.filter(
    (facet) => facet.ofVariant === ofVariant && query.filters[facet.name].length > 0,
  );
  const required = chosen.filter((facet) => !relaxedFacets.includes(facet));
  return and(
    ...required.map((facet) => facetCondition(facet.name, query)),
    chosen.length - required.length > 1
      ? sql`${failedFacetBits({ query, relaxedFacets })} in (0, ${sql.join(relaxedFacets.map(facetBit), sql`, `)})`
      : undefined,
  );
}

/** A bit mask of the relaxed facets whose filter a row fails. */
export function failedFacetBits({ query, relaxedFacets = [] }: Pick<Search, "query" | "relaxedFacets">): SQL {
  const bits = relaxedFacets.map(
    (facet) => sql` + iif(${facetCondition(facet.name, query)}, 0, ${facetBit(facet)})`,
  );
  return sql`(0${sql.join(bits)})`;
}

export function facetBit(facet: Facet): SQL {
  return sql.raw(String(2 ** facets.indexOf(facet)));
}

function facetCondition(name: FacetName, { filters }: SearchQuery): SQL {
  const values = filters[name];
  switch (name) {
    case "brand":
    case "rom":
    case "ram":
      return isOneOf(sql.identifier(name), values);
    case "condition":
      return inArray(sql`condition`, values);
    case "battery":
      return sql`coalesce(battery_health >= ${Number(values[0])}, 0)`;
    case "verified":
      return sql`seller_verified`;
    case "available":
      return sql`status = 'available'`;
  }
}

export function priceConditions({ fromCents, toCents }: SearchQuery) {
  return [
    fromCents === null ? undefined : gte(phones.sellingCents, fromCents),
    toCents === null ? undefined : lte(phones.sellingCents, toCents),
  ];
}

export function inCategory({ category }: Search) {
  return category.key === "products" ? undefined : eq(phones.category, category.key);
}

export function narrowsVariants({
  query: { words, filters },
  variantCondition,
  relaxedFacets = [],
}: Search): boolean {
  const chosen = facets.filter(({ name, ofVariant }) => ofVariant && filters[name].length > 0);
  return (
    variantCondition !== undefined ||
    hasWords(words) ||
    chosen.length > (chosen.some((facet) => relaxedFacets.includes(facet)) ? 1 : 0)
  );
}

export function hasPriceRange({ fromCents, toCents }: SearchQuery): boolean {
  return fromCents !== null || toCents !== null;
}

export function countListingFilters(query: SearchQuery): number {
  return chosenListingFacets(query).length + (hasPriceRange(query) ? 1 : 0);
}

export function chosenListingFacets({ filters }: SearchQuery): FacetName[] {
  return facets
    .filter(({ name, ofVariant }) => !ofVariant && filters[name].length > 0)
    .map(({ name }) => name);
}

/** `IN` with one JSON parameter, since D1 allows only 100 bound parameters per statement. */
function isOneOf(column: ReturnType<typeof sql.identifier>, values: string[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} in (select json_each.value from json_each(${JSON.stringify(values)}))`;
}
