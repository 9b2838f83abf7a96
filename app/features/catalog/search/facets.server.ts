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
  selectVariants,
  withCtes,
} from "./statements.server.ts";

/** Listings that are counted at most; the page shows "1,000+". */
export const maxCounted = 1001;
/** Listings of matching variants that are looked through at most to count the values of a chosen facet. */
const maxLookedThrough = 20_000;
/** Variants that are counted at most, where no word or filter narrows them. */
const maxVariants = 5000;

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
 * the numbers of brand, storage and RAM. All others are counted from at most `maxCounted` listings; where more match, or
 * many listings would be looked through, values have no number.
 */
export function facetCounts(db: Db, { search, counted, mayOmit }: CountQuery) {
  const isCountedByVariant = countListingFilters(search.query) === 0;
  const total = sql`(select listings from total)`;
  const isShort = mayOmit
    ? sql`(select coalesce(sum(listed), 0) from choices) <= ${maxLookedThrough}`
    : sql`true`;
  const isComplete = sql`(${total} < ${maxCounted} and ${isShort})`;
  const { ctes, rows } = listingsMatching(search, () => ({
    columns: sql.join([sql`variant_id`, ...listingColumns(counted)], sql`, `),
    limit: sql`iif(${isCountedByVariant ? isComplete : isShort}, ${maxCounted}, 0)`,
  }));
  const variants = narrowsVariants(search)
    ? sql`variants`
    : sql`(${selectVariants(search)} limit ${maxVariants + 1})`;
  const choices = sql`choices as materialized (select brand, rom, ram, sum(listed) as listed, count(*) as variants
    from ${variants} group by brand, rom, ram)`;
  const matched = sql`matched as materialized (${rows})`;
  const totalOf = (listings: SQL) => sql`total(listings) as materialized (select ${listings})`;
  const ordered = isCountedByVariant
    ? [choices, totalOf(sql`coalesce(sum(listed), 0) from choices`), matched]
    : [choices, matched, totalOf(sql`count(*) from matched`)];
  const counts = counted.map((facet) => {
    const valueCounts = facet.ofVariant
      ? variantValueCounts(facet, isCountedByVariant, isComplete)
      : sql`iif(${isComplete}, ${listingValueCounts(facet)}, null)`;
    return sql`, ${facet.name}, json(${valueCounts})`;
  });
  return db
    .select({ counts: sql`counts`.mapWith((json: string): FacetCounts => JSON.parse(json)) })
    .from(
      sql`(${withCtes([...ctes, ...ordered])} select json_object('all', ${total}${sql.join(counts)}) as counts)`,
    );
}

function listingColumns(counted: Facet[]): SQL[] {
  return counted.filter(({ ofVariant }) => !ofVariant).map((facet) => sql`${facetColumn(facet)}`);
}

/** A JSON object of values and numbers, the highest first; null stands for an unknown number. */
function variantValueCounts(facet: Facet, isCountedByVariant: boolean, isComplete: SQL): SQL {
  const column = facetColumn(facet);
  const objectOf = (rows: SQL, number: SQL) =>
    sql`(select json_group_object(value, ${number}) from (${rows} group by 1 order by 2 desc limit ${maxChoices}))`;
  const byVariant = sql`select ${column} as value, sum(listed) as number from choices`;
  if (isCountedByVariant) {
    const known = sql`(select sum(variants) from choices) <= ${maxVariants}`;
    return objectOf(byVariant, sql`iif(${known}, number, null)`);
  }
  const byListing = sql`select ${column} as value, count(*) as number from matched
    cross join device_variants on device_variants.id = variant_id`;
  return sql`iif(${isComplete}, ${objectOf(byListing, sql`number`)}, ${objectOf(byVariant, sql`null`)})`;
}

function listingValueCounts(facet: Facet): SQL {
  if (facet.compares === "one of") {
    const column = facetColumn(facet);
    // Not a parameter for each value: D1 allows 100 in a statement.
    return sql`(select json_group_object(value, number) from
      (select ${column} as value, count(*) as number from matched where ${column} is not null group by 1))`;
  }
  const counts = (facet.values ?? []).map(
    (value) => sql`${value}, count(*) filter (where ${facetCondition(facet, [value])})`,
  );
  return sql`(select json_object(${sql.join(counts, sql`, `)}) from matched)`;
}
