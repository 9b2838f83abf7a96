import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Facet, type FacetCounts, facets, maxChoices } from "./facets.rules.ts";
import {
  countListingFilters,
  facetColumn,
  facetCondition,
  listingsMatching,
  narrowsVariants,
  type Search,
  variantColumns,
  variantsMatching,
  withCtes,
} from "./statements.server.ts";

/** Listings that are counted at most; the page shows "1,000+". */
export const maxCountedListings = 1001;
/** Listings of matching variants that are looked through at most to count the values of a chosen facet. */
const maxLookedThrough = 5000;

/** A search, and the facets whose values are counted among its matches. */
interface CountQuery {
  search: Search;
  counted: Facet[];
  /** Whether numbers may be missing where counting would take long. */
  mayOmit: boolean;
}

/** The facets without a choice are counted together; each of the others without its own filter. The first has the total. */
export function countQueries(search: Search): CountQuery[] {
  const { filters } = search.query;
  const isChosen = ({ name }: Facet) => filters[name].length > 0;
  const without = ({ name }: Facet): Search => ({
    ...search,
    query: { ...search.query, filters: { ...filters, [name]: [] } },
  });
  return [
    { search, counted: facets.filter((facet) => !isChosen(facet)), mayOmit: false },
    ...facets.filter(isChosen).map((facet) => ({ search: without(facet), counted: [facet], mayOmit: true })),
  ];
}

/**
 * Counts the matches of a search, and those with each value of the facets. Without filters on listings, the variants know
 * the numbers of brand, storage and RAM. All others are counted from at most `maxCountedListings`; where more match, or
 * many listings would be looked through, values have no number.
 */
export function facetCounts(db: Db, { search, counted, mayOmit }: CountQuery) {
  const isCountedByVariant = countListingFilters(search.query) === 0;
  const variantCounts = narrowsVariants(search)
    ? countsOfVariants(search, isCountedByVariant)
    : countsOfCategory(search);
  const total = sql`(select listings from total)`;
  const isShort = mayOmit ? sql`${variantCounts.listed} <= ${maxLookedThrough}` : sql`true`;
  const isComplete = sql`(${total} < ${maxCountedListings} and ${isShort})`;
  const listingFacets = counted.filter(({ ofVariant }) => !ofVariant);
  const { ctes, rows } = listingsMatching(search, () => ({
    columns: sql.join([sql`variant_id`, ...listingFacets.map(facetColumn)], sql`, `),
    limit: sql`iif(${isCountedByVariant ? isComplete : isShort}, ${maxCountedListings}, 0)`,
  }));
  const matched = [
    sql`matched as materialized (${rows})`,
    sql`found as materialized (select brand, rom, ram, sum(listings) as number
      from (select variant_id, count(*) as listings from matched group by variant_id)
      cross join device_variants on device_variants.id = variant_id group by brand, rom, ram)`,
  ];
  const totalOf = (listings: SQL) => sql`total(listings) as materialized (select ${listings})`;
  const ordered = isCountedByVariant
    ? [totalOf(variantCounts.listed), ...matched]
    : [...matched, totalOf(sql`count(*) from matched`)];
  const grouped = counted.filter(({ ofVariant, compares }) => ofVariant || compares === "one of");
  const counts = grouped.map((facet) => {
    const valueCounts = facet.ofVariant
      ? variantValueCounts(variantCounts.valuesOf(facet), facet, isCountedByVariant, isComplete)
      : sql`iif(${isComplete}, ${listingValueCounts(facet)}, null)`;
    return sql`, ${facet.name}, json(${valueCounts})`;
  });
  const others = counted.filter((facet) => !grouped.includes(facet));
  return db
    .select({
      counts: sql`counts`.mapWith((json: string): FacetCounts => Object.assign({}, ...JSON.parse(json))),
    })
    .from(
      sql`(${withCtes([...ctes, ...variantCounts.ctes, ...ordered])} select json_array(
        json_object('all', ${total}${sql.join(counts)}), json(iif(${isComplete}, ${fixedValueCounts(others)}, null))) as counts)`,
    );
}

/** Of the variants that match words or filters, which are read at once where their listings need not be. */
function countsOfVariants(search: Search, isCountedByVariant: boolean) {
  const variants = isCountedByVariant
    ? sql`device_variants where ${variantsMatching(search)}`
    : sql`variants`;
  const choices = sql`select ${variantColumns}, sum(listed) as listed from ${variants} group by ${variantColumns}`;
  return {
    ctes: [sql`choices as materialized (${choices})`],
    listed: sql`(select coalesce(sum(listed), 0) from choices)`,
    valuesOf: (facet: Facet) =>
      sql`select ${facetColumn(facet)} as value, sum(listed) as number from choices group by 1`,
  };
}

/** Of all variants of a category: the numbers that a trigger keeps. */
function countsOfCategory({ category: { key } }: Search) {
  const inCategory = key === "products" ? sql`` : sql`and category = ${key}`;
  return {
    ctes: [],
    listed: sql`(select coalesce(sum(listed), 0) from listed_counts where facet = 'all' ${inCategory})`,
    valuesOf: (facet: Facet) =>
      sql`select value, sum(listed) as number from listed_counts
      where facet = ${facet.name} ${inCategory} group by 1 having number > 0`,
  };
}

/** A JSON object of values and numbers, the highest first; null stands for an unknown number. */
function variantValueCounts(byVariant: SQL, facet: Facet, isCountedByVariant: boolean, isComplete: SQL): SQL {
  const objectOf = (rows: SQL, number: SQL) =>
    sql`(select json_group_object(value, ${number}) from (${rows} order by 2 desc limit ${maxChoices}))`;
  if (isCountedByVariant) return objectOf(byVariant, sql`number`);
  const byListing = sql`select ${facetColumn(facet)} as value, sum(number) as number from found group by 1`;
  return sql`iif(${isComplete}, ${objectOf(byListing, sql`number`)}, ${objectOf(byVariant, sql`null`)})`;
}

/** Not with a parameter for each value: D1 allows 100 in a statement. */
function listingValueCounts(facet: Facet): SQL {
  const column = facetColumn(facet);
  return sql`(select json_group_object(value, number) from
    (select ${column} as value, count(*) as number from matched where ${column} is not null group by 1))`;
}

/** A JSON object of facets with fixed values, counted together. */
function fixedValueCounts(counted: Facet[]): SQL {
  const counts = counted.map((facet) => {
    const values = (facet.values ?? []).map(
      (value) => sql`${value}, count(*) filter (where ${facetCondition(facet, [value])})`,
    );
    return sql`${facet.name}, json_object(${sql.join(values, sql`, `)})`;
  });
  return sql`(select json_object(${sql.join(counts, sql`, `)}) from matched)`;
}
