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
  chosenOfListings,
  hasPrice,
  listingsMatching,
  narrowsVariants,
  type Search,
  variantsMatching,
} from "./matching.server.ts";
import type { SearchQuery } from "./search-query.rules.ts";

/** Phones are counted no further; the page shows "1,000+". */
const countLimit = 1001;
/** Of one facet, the biggest. */
const mostChoices = 60;

/** A statement's worth of counting: some facets, for one search. */
interface Scan {
  search: Search;
  facets: Facet[];
  /** What is counted: the listings of variants, which have counts, or listings one by one. */
  of: "variants" | "listings";
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
 * What has to be counted beside what is counted already: facets with nothing chosen for the search as it is, each
 * other facet for the search without it.
 */
export function scansFor({ category, query }: Search): Scan[] {
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
  const scans: Scan[] = [];
  for (const set of sets) {
    const counted = hasCounters(set.query, set.facets);
    if (counted && !narrowsVariants({ category, query: set.query })) continue;
    const of = counted ? "variants" : "listings";
    const same = scans.find((scan) => scan.search.query === set.query && scan.of === of);
    if (same) same.facets.push(...set.facets);
    else scans.push({ search: { category, query: set.query }, facets: [...set.facets], of });
  }
  return scans;
}

/** Whether counters say it: they count listings by one property at a time, and not by price. */
function hasCounters(query: SearchQuery, counted: Facet[]): boolean {
  if (hasPrice(query)) return false;
  const chosen = chosenOfListings(query).length;
  return chosen === 0 || (chosen === 1 && counted.every(({ ofVariant }) => ofVariant));
}

/** What the counters of a whole category say: of each facet the biggest values, given what is chosen of listings. */
export function categoryCounts(db: Db, { category: { key }, query }: Search) {
  const measure = hasCounters(query, []) ? measureFor(query) : sql`listed`;
  const biggest = (facet: string) => sql`select * from (select facet, value, ${measure} as count
    from facet_counts where category = ${key} and facet = ${facet} and ${measure} > 0 order by 3 desc limit ${mostChoices})`;
  const all = sql`select * from facet_counts where category = ${key} and facet = 'all'`;
  const ofVariants = facets.filter(({ ofVariant }) => ofVariant);
  const terms = [...ofVariants.map(({ name }) => biggest(name)), totalsOf(all, measure, facets)];
  return selectCounts(db, sql.join(terms, sql` union all `));
}

/** Counts the facets of a scan, with the number of all phones as the facet "all". */
export function countsOf(db: Db, { search, facets, of }: Scan) {
  const measure = of === "variants" ? measureFor(search.query) : sql`listed`;
  const values = facets
    .filter(({ ofVariant }) => ofVariant)
    .map(({ name }) => {
      const column = sql.identifier(name);
      return sql`select * from (select ${name} as facet, ${column} as value, sum(${measure}) as count
        from matched group by ${column} order by 3 desc limit ${mostChoices})`;
    });
  const matched = of === "variants" ? matchedVariants(search) : matchedListings(search, values.length > 0);
  const terms = [...values, totalsOf(sql`select * from matched`, measure, facets)];
  return selectCounts(
    db,
    sql`with matched as materialized (${matched}) ${sql.join(terms, sql` union all `)}`,
  );
}

/** The sums of some rows' counters as one row for each: all of them, and those of the facets. */
function totalsOf(rows: SQL, measure: SQL, facets: readonly Facet[]): SQL {
  const sums = Object.entries(counters)
    .filter(([key]) => facets.some(({ name }) => key.startsWith(`${name}:`)))
    .map(([key, { column }]) => sql`, ${key}, total(${sql.identifier(column)})`);
  return sql`select substr(key, 1, instr(key, ':') - 1) as facet, substr(key, instr(key, ':') + 1) as value, value as count
    from json_each((select json_object('all:', total(${measure})${sql.join(sums)}) from (${rows})))`;
}

function matchedVariants(search: Search): SQL {
  const columns = sql.raw(
    Object.values(counters)
      .map(({ column }) => column)
      .join(", "),
  );
  return sql`select brand, rom, ram, listed, ${columns} from device_variants where ${variantsMatching(search)}`;
}

/** The listings that match, as many as are counted. */
function matchedListings(search: Search, withVariants: boolean): SQL {
  const found = listingsMatching(search, {
    columns: sql`variant_id, status, seller_verified, condition, battery_health`,
    limit: countLimit,
  });
  const columns = Object.values(counters).map(
    ({ column, listing }) => sql`${listing} as ${sql.identifier(column)}`,
  );
  const flags = sql`1 as listed, ${sql.join(columns, sql`, `)}`;
  return withVariants
    ? sql`select brand, rom, ram, ${flags} from (${found}) as found
        cross join device_variants on device_variants.id = found.variant_id`
    : sql`select ${flags} from (${found}) as found`;
}

/** What variants count of a search: all of their listings, or those that have what is chosen of listings. */
function measureFor(query: SearchQuery): SQL {
  const columns = chosenOfListings(query).flatMap((name) =>
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

/** Puts together what was counted: the number of phones, and the choices of each facet. */
export function choicesFrom(query: SearchQuery, scans: Scan[], known: FacetCount[], counts: FacetCount[][]) {
  const totalOf = (rows: FacetCount[] | undefined) => rows?.find(({ facet }) => facet === "all")?.count ?? 0;
  const choices: Partial<Choices> = {};
  const cappedFacets: FacetName[] = [];
  for (const facet of facets) {
    const at = scans.findIndex((scan) => scan.facets.includes(facet));
    const rows = at < 0 ? known : (counts[at] ?? []);
    const isCapped = scans[at]?.of === "listings" && totalOf(rows) === countLimit;
    if (isCapped) cappedFacets.push(facet.name);
    const ofFacet = (all: FacetCount[]) => all.filter((row) => row.facet === facet.name);
    const values = ofFacet(known).map(({ value }) => value);
    choices[facet.name] = choicesOf(facet, ofFacet(rows), isCapped, values, query.filters[facet.name]);
  }
  const whole = scans.findIndex(({ search }) => search.query === query);
  const count = Math.min(totalOf(whole < 0 ? known : counts[whole]), countLimit);
  return { count, choices: choices as Choices, cappedFacets };
}
