import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  type Choices,
  choicesOf,
  type Facet,
  type FacetCount,
  type FacetName,
  facets,
} from "./facets.rules.ts";
import {
  chosenListingFacets,
  hasPriceRange,
  listingsMatching,
  narrowsVariants,
  type Search,
  variantsMatching,
} from "./matching.server.ts";
import type { SearchQuery } from "./search-query.rules.ts";

/** Phones are counted no further; the page shows "1,000+". */
const maxCount = 1001;
/** Of one facet, the biggest. */
const maxChoices = 60;

/** One statement that counts some facets for one search. */
interface FacetQuery {
  search: Search;
  facets: Facet[];
  /** Whether the counters of variants are summed up, or listings counted one by one. */
  source: "variants" | "listings";
}

/** The counters that variants keep, with what counts for each in a listing. */
const counters: Record<string, { column: string; listing: SQL }> = {
  "condition:Excellent": { column: "excellent", listing: sql`condition is 'Excellent'` },
  "condition:Good": { column: "good", listing: sql`condition is 'Good'` },
  "condition:Fair": { column: "fair", listing: sql`condition is 'Fair'` },
  "battery:80": { column: "battery_80", listing: sql`coalesce(battery_health >= 80, 0)` },
  "battery:85": { column: "battery_85", listing: sql`coalesce(battery_health >= 85, 0)` },
  "battery:90": { column: "battery_90", listing: sql`coalesce(battery_health >= 90, 0)` },
  "verified:yes": { column: "verified", listing: sql`seller_verified` },
  "available:yes": { column: "available", listing: sql`status = 'available'` },
};

/**
 * The facet counts that `facet_counts` does not have ready. A facet with a chosen value is counted for the search
 * without that facet.
 */
export function facetQueries({ category, query }: Search): FacetQuery[] {
  const isChosen = ({ name }: Facet) => query.filters[name].length > 0;
  const open = facets.filter((facet) => !isChosen(facet));
  const sets = [
    { query, facets: open.filter(({ ofVariant }) => ofVariant) },
    { query, facets: open.filter(({ ofVariant }) => !ofVariant) },
    ...facets.filter(isChosen).map((facet) => ({
      query: { ...query, filters: { ...query.filters, [facet.name]: [] } },
      facets: [facet],
    })),
  ];
  const queries: FacetQuery[] = [];
  for (const set of sets) {
    const counted = countersSuffice(set.query, set.facets);
    if (counted && !narrowsVariants({ category, query: set.query })) continue;
    const source = counted ? "variants" : "listings";
    const same = queries.find(
      ({ search, ...other }) => search.query === set.query && other.source === source,
    );
    if (same) same.facets.push(...set.facets);
    else queries.push({ search: { category, query: set.query }, facets: [...set.facets], source });
  }
  return queries;
}

/** Whether stored counters suffice: no price range, and at most one filter on listings besides the counted facets. */
function countersSuffice(query: SearchQuery, counted: Facet[]): boolean {
  if (hasPriceRange(query)) return false;
  const chosen = chosenListingFacets(query).length;
  return chosen === 0 || (chosen === 1 && counted.every(({ ofVariant }) => ofVariant));
}

/** The counters of a whole category, for the chosen filter on listings if there is one; of each facet the biggest values. */
export function categoryFacetCounts(db: Db, { category: { key }, query }: Search) {
  const counter = countersSuffice(query, []) ? counterOf(query) : sql`listed`;
  const biggest = (facet: string) => sql`select * from (select facet, value, ${counter} as count
    from facet_counts where category = ${key} and facet = ${facet} and ${counter} > 0 order by 3 desc limit ${maxChoices})`;
  const all = sql`select * from facet_counts where category = ${key} and facet = 'all'`;
  const ofVariants = facets.filter(({ ofVariant }) => ofVariant);
  const terms = [...ofVariants.map(({ name }) => biggest(name)), totalsOf(all, counter, facets)];
  return selectCounts(db, sql.join(terms, sql` union all `));
}

/** Counts some facets, with the number of all phones as the facet "all". */
export function facetCountsOf(db: Db, { search, facets, source }: FacetQuery) {
  const counter = source === "variants" ? counterOf(search.query) : sql`listed`;
  const values = facets
    .filter(({ ofVariant }) => ofVariant)
    .map(({ name }) => {
      const column = sql.identifier(name);
      return sql`select * from (select ${name} as facet, ${column} as value, sum(${counter}) as count
        from matched group by ${column} order by 3 desc limit ${maxChoices})`;
    });
  const matched = source === "variants" ? variantRows(search) : listingRows(search, values.length > 0);
  const terms = [...values, totalsOf(sql`select * from matched`, counter, facets)];
  return selectCounts(
    db,
    sql`with matched as materialized (${matched}) ${sql.join(terms, sql` union all `)}`,
  );
}

/** The sums of some rows' counters as one row for each: all of them, and those of the facets. */
function totalsOf(rows: SQL, counter: SQL, facets: readonly Facet[]): SQL {
  const sums = Object.entries(counters)
    .filter(([key]) => facets.some(({ name }) => key.startsWith(`${name}:`)))
    .map(([key, { column }]) => sql`, ${key}, total(${sql.identifier(column)})`);
  return sql`select substr(key, 1, instr(key, ':') - 1) as facet, substr(key, instr(key, ':') + 1) as value, value as count
    from json_each((select json_object('all:', total(${counter})${sql.join(sums)}) from (${rows})))`;
}

const variantColumns = sql.raw(
  facets
    .filter(({ ofVariant }) => ofVariant)
    .map(({ name }) => name)
    .join(", "),
);
const counterColumns = sql.raw(
  Object.values(counters)
    .map(({ column }) => column)
    .join(", "),
);

function variantRows(search: Search): SQL {
  return sql`select ${variantColumns}, listed, ${counterColumns} from device_variants where ${variantsMatching(search)}`;
}

/** The listings that match, as many as are counted. */
function listingRows(search: Search, withVariants: boolean): SQL {
  const found = listingsMatching(search, {
    columns: sql`variant_id, status, seller_verified, condition, battery_health`,
    limit: maxCount,
  });
  const columns = Object.values(counters).map(
    ({ column, listing }) => sql`${listing} as ${sql.identifier(column)}`,
  );
  const flags = sql`1 as listed, ${sql.join(columns, sql`, `)}`;
  return withVariants
    ? sql`select ${variantColumns}, ${flags} from (${found}) as found
        cross join device_variants on device_variants.id = found.variant_id`
    : sql`select ${flags} from (${found}) as found`;
}

/** An expression for the counter of a variant's listings that pass the chosen filter on listings. */
function counterOf(query: SearchQuery): SQL {
  const columns = chosenListingFacets(query).flatMap((name) =>
    query.filters[name].map((value) => sql.identifier(counters[`${name}:${value}`]?.column ?? "listed")),
  );
  return columns.length === 0 ? sql`listed` : sql`(${sql.join(columns, sql` + `)})`;
}

function selectCounts(db: Db, counts: SQL) {
  return db
    .select({
      facet: sql<string>`facet`,
      value: sql<string>`value`,
      count: sql<number>`count`,
    })
    .from(sql`(${counts}) as counts`);
}

/**
 * Puts together what was counted: the number of phones, and the choices of each facet.
 *
 * @param categoryRows from `categoryFacetCounts`
 * @param counts one array for each of the queries
 */
export function facetChoices(
  query: SearchQuery,
  queries: FacetQuery[],
  categoryRows: FacetCount[],
  counts: FacetCount[][],
) {
  const totalOf = (rows: FacetCount[] | undefined) => rows?.find(({ facet }) => facet === "all")?.count ?? 0;
  const choices: Partial<Choices> = {};
  const cappedFacets: FacetName[] = [];
  for (const facet of facets) {
    const ofFacet = (rows: FacetCount[]) => rows.filter((row) => row.facet === facet.name);
    const at = queries.findIndex((facetQuery) => facetQuery.facets.includes(facet));
    const rows = at < 0 ? categoryRows : (counts[at] ?? []);
    const isCapped = queries[at]?.source === "listings" && totalOf(rows) === maxCount;
    if (isCapped) cappedFacets.push(facet.name);
    const isComplete = !isCapped && ofFacet(rows).length < maxChoices;
    const others = isCapped ? ofFacet(categoryRows).map(({ value }) => value) : [];
    choices[facet.name] = choicesOf(facet, ofFacet(rows), isComplete, [
      ...others,
      ...query.filters[facet.name],
    ]);
  }
  const whole = queries.findIndex(({ search }) => search.query === query);
  const count = Math.min(totalOf(whole < 0 ? categoryRows : counts[whole]), maxCount);
  return { count, choices: choices as Choices, cappedFacets };
}
