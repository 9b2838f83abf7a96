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
import { listingsMatching, withCtes } from "./listing-query.server.ts";
import {
  chosenListingFacets,
  facetBit,
  failedFacetBits,
  hasPriceRange,
  narrowsVariants,
  type Search,
  variantsMatching,
} from "./search-conditions.server.ts";
import type { SearchQuery } from "./search-query.rules.ts";

/** Upper limit of the count; the page shows "1,000+". */
const maxCount = 1001;
/** Values of one facet, those with the highest counts. Limited, since a list page has at most 900 elements. */
const maxChoices = 20;

interface FacetQuery {
  search: Search;
  facets: Facet[];
  source: "variants" | "listings";
}

/** The counters of variants, with the listings that each counts. */
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
 * The queries for the counts that `facet_counts` does not hold. A facet without a chosen value is counted among the
 * matching listings; one with a chosen value also among the listings that fail only this filter. Grouping the facets
 * limits this to three queries of listings, however many filters are applied.
 */
export function facetQueries(search: Search): FacetQuery[] {
  const isChosen = ({ name }: Facet) => search.query.filters[name].length > 0;
  const counted = facets.filter((facet) => countersSuffice(search.query, facet));
  const uncounted = facets.filter((facet) => !counted.includes(facet));
  const chosen = (of: Facet[], ofVariant: boolean) =>
    of.filter((facet) => isChosen(facet) && facet.ofVariant === ofVariant);
  const matching = (source: FacetQuery["source"], of: Facet[]) => ({ source, facets: of, search });
  const relaxed = (source: FacetQuery["source"], relaxedFacets: Facet[]) => ({
    source,
    facets: relaxedFacets,
    search: { ...search, relaxedFacets },
  });
  const fromVariants = [
    matching(
      "variants",
      counted.filter((facet) => !isChosen(facet) || !facet.ofVariant),
    ),
    relaxed("variants", chosen(counted, true)),
  ];
  const fromListings = [
    matching(
      "listings",
      uncounted.filter((facet) => !isChosen(facet)),
    ),
    relaxed("listings", chosen(uncounted, true)),
    relaxed("listings", chosen(uncounted, false)),
  ];
  // The total is counted along with the unchosen facets, even if there are none.
  const countsAll = (facetQuery: FacetQuery) => counted.length === 0 && facetQuery === fromListings[0];
  return [
    ...fromVariants.filter(
      (facetQuery) => facetQuery.facets.length > 0 && narrowsVariants(facetQuery.search),
    ),
    ...fromListings.filter((facetQuery) => facetQuery.facets.length > 0 || countsAll(facetQuery)),
  ];
}

/** Whether stored counters suffice: no price range, and at most one listing filter besides the counted facet. */
function countersSuffice(query: SearchQuery, counted?: Facet): boolean {
  if (hasPriceRange(query)) return false;
  const chosen = chosenListingFacets(query);
  if (chosen.length === 0) return true;
  return chosen.length === 1 && (!counted || counted.ofVariant || chosen[0] === counted.name);
}

export function categoryFacetCounts(db: Db, { category: { key }, query }: Search) {
  const counter = countersSuffice(query) ? counterOf(query) : sql`listed`;
  const topValues = (facet: string) => sql`select * from (select facet, value, ${counter} as count
    from facet_counts where category = ${key} and facet = ${facet} and ${counter} > 0 order by 3 desc limit ${maxChoices})`;
  const all = sql`(select *, 0 as failed_facets from facet_counts where category = ${key} and facet = 'all')`;
  const ofVariants = facets.filter(({ ofVariant }) => ofVariant);
  const terms = [...ofVariants.map(({ name }) => topValues(name)), totalsOf(all, counter, facets)];
  return selectCounts(db, sql.join(terms, sql` union all `));
}

/** Runs a facet query. The facet "all" has the total; "too many" is 1 if there were too many listings to read. */
export function facetCountsOf(db: Db, { search, facets, source }: FacetQuery) {
  const counter = source === "variants" ? counterOf(search.query) : sql`listed`;
  const values = facets
    .filter(({ ofVariant }) => ofVariant)
    .map((facet) => {
      const column = sql.identifier(facet.name);
      return sql`select * from (select ${facet.name} as facet, ${column} as value, sum(${counter}) as count
        from matched where ${failsAtMost(facet)} group by ${column} order by 3 desc limit ${maxChoices})`;
    });
  const { ctes, rows, isTooMany }: ReturnType<typeof listingRows> =
    source === "variants" ? { ctes: [], rows: variantRows(search) } : listingRows(search, values.length > 0);
  const terms = [
    ...values,
    totalsOf(sql`matched`, counter, facets),
    ...(isTooMany ? [sql`select 'too many', '', ${isTooMany}`] : []),
  ];
  return selectCounts(
    db,
    sql`${withCtes([...ctes, sql`matched as materialized (${rows})`])} ${sql.join(terms, sql` union all `)}`,
  );
}

function totalsOf(rows: SQL, counter: SQL, facets: readonly Facet[]): SQL {
  const sums = facets.flatMap((facet) =>
    Object.entries(counters)
      .filter(([key]) => key.startsWith(`${facet.name}:`))
      .map(([key, { column }]) => {
        return sql`, ${key}, total(${sql.identifier(column)}) filter (where ${failsAtMost(facet)})`;
      }),
  );
  return sql`select substr(key, 1, instr(key, ':') - 1) as facet, substr(key, instr(key, ':') + 1) as value, value as count
    from json_each((select json_object('all:', total(${counter})${sql.join(sums)}) from ${rows}))`;
}

/** SQL condition: the row passes all filters, or all but this facet's. */
function failsAtMost(facet: Facet): SQL {
  return sql`failed_facets in (0, ${facetBit(facet)})`;
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
  return sql`select ${variantColumns}, listed, ${counterColumns}, ${failedFacetBits(search)} as failed_facets
    from device_variants where ${variantsMatching(search)}`;
}

function listingRows(search: Search, withVariants: boolean) {
  const { rows: found, ...others } = listingsMatching(search, {
    columns: sql`variant_id, status, seller_verified, condition, battery_health`,
    limit: maxListings(search),
  });
  const columns = Object.values(counters).map(
    ({ column, listing }) => sql`${listing} as ${sql.identifier(column)}`,
  );
  const flags = sql`1 as listed, ${sql.join(columns, sql`, `)}, ${failedFacetBits(search)} as failed_facets`;
  const rows = withVariants
    ? sql`select ${variantColumns}, ${flags} from (${found}) as found
        cross join device_variants on device_variants.id = found.variant_id`
    : sql`select ${flags} from (${found}) as found`;
  return { ...others, rows };
}

/** How many listings to read at most: the limit of the count once more for each relaxed facet. */
function maxListings({ relaxedFacets = [] }: Search): number {
  return maxCount * (1 + relaxedFacets.length);
}

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

/** Builds the total and the choices of each facet from the counts. */
export function facetChoices(
  query: SearchQuery,
  queries: FacetQuery[],
  categoryRows: FacetCount[],
  counts: FacetCount[][],
) {
  const countIn = (rows: FacetCount[] | undefined, name: string) =>
    rows?.find(({ facet }) => facet === name)?.count ?? 0;
  const choices: Partial<Choices> = {};
  const cappedFacets: FacetName[] = [];
  for (const facet of facets) {
    const ofFacet = (rows: FacetCount[]) => rows.filter((row) => row.facet === facet.name);
    const at = queries.findIndex((facetQuery) => facetQuery.facets.includes(facet));
    const rows = at < 0 ? categoryRows : (counts[at] ?? []);
    const facetQuery = queries[at];
    const isCapped =
      facetQuery?.source === "listings" &&
      (countIn(rows, "all") === maxListings(facetQuery.search) || countIn(rows, "too many") > 0);
    if (isCapped) cappedFacets.push(facet.name);
    const isComplete = !isCapped && ofFacet(rows).length < maxChoices;
    const others = isCapped ? ofFacet(categoryRows).map(({ value }) => value) : [];
    choices[facet.name] = choicesOf(facet, ofFacet(rows), isComplete, [
      ...others,
      ...query.filters[facet.name],
    ]);
  }
  const all = queries.findIndex(({ search }) => !search.relaxedFacets);
  const count = Math.min(countIn(all < 0 ? categoryRows : counts[all], "all"), maxCount);
  return { count, choices: choices as Choices, cappedFacets };
}
