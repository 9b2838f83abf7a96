import { and, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Facet, type FacetCounts, facets, filtersOf, maxChoices } from "./facets.rules.ts";
import {
  countListingFilters,
  facetColumn,
  facetCondition,
  listingsMatching,
  narrowsVariants,
  type Search,
  variantColumns,
  variantFacets,
  variantsMatching,
  withCtes,
} from "./statements.server.ts";

/** Listings that are counted at most; the page shows "1,000+". */
export const maxCountedListings = 1001;
/** Listings of matching variants that are looked through at most to count the values of a chosen facet. */
export const maxLookedThrough = 5000;

/** A search, and the facets whose values are counted: of a chosen one, among the listings that pass all other filters. */
interface CountQuery {
  search: Search;
  counted: Facet[];
}

/** What is read of the matches of a search. SQLite takes longer to plan a statement than to count, so this is little. */
interface ReadCounts {
  /** How many listings the matching variants have, by the values of the facets of variants. */
  ofVariants: CountOfValues[];
  /** How many of them match. Like `matches` missing if the variants know all that is counted. */
  ofMatches?: CountOfValues[];
  matches?: { all: number } & Record<string, [all: number, ofValues: Record<string, number>]>;
}

type CountOfValues = [count: number, ...values: (string | null)[]];

/**
 * All facets but typed ones are counted together, but chosen ones of variants: each of them without its own filter. The first
 * has the total.
 */
export function facetCountQueries(search: Search): CountQuery[] {
  const isApart = (facet: Facet) => facet.ofVariant && isChosen(search, facet);
  return [
    { search, counted: facets.filter((facet) => !isApart(facet) && !facet.spelled) },
    ...facets.filter(isApart).map((facet) => ({ search: without(search, [facet]), counted: [facet] })),
  ];
}

const isChosen = ({ query }: Search, { name }: Facet) => query.filters[name].length > 0;

function without(search: Search, left: Facet[]): Search {
  const filters = filtersOf((facet) => (left.includes(facet) ? [] : search.query.filters[facet.name]));
  return { ...search, query: { ...search.query, filters } };
}

/**
 * Counts the matches of a search, and those with each value of the facets. Without filters on listings, the variants know
 * the numbers of brand, storage and RAM. All others are counted from at most `maxCountedListings`; where more match, or
 * many listings would be looked through, values have no number.
 */
export function facetCounts(db: Db, { search, counted }: CountQuery) {
  const chosen = counted.filter((facet) => isChosen(search, facet));
  const ofListings = counted.filter(({ ofVariant }) => !ofVariant);
  const passed = chosen.map((facet) => facetCondition(facet, search.query.filters[facet.name]));
  // The names of the chosen facets that a listing does not pass. For the only one that it does not pass, it counts.
  const missed = [sql`''`, ...chosen.map((facet, at) => sql`iif(${passed[at]}, '', ${nameOf(facet)})`)];
  const { key } = search.category;
  // Of a category, `listed` has each listing once for each facet.
  const counts = narrowsVariants(search)
    ? sql`listed`
    : sql`listed_counts where facet = 'all' ${key === "products" ? sql`` : sql`and category = ${key}`}`;
  const isShort = sql`(select coalesce(sum(listed), 0) from ${counts}) <= ${maxLookedThrough}`;
  const isFew = sql`(select coalesce(sum(listed), 0) from ${counts}) < ${maxCountedListings}`;
  const isCountedByVariant = countListingFilters(search.query) === 0;
  const { ctes, rows } = listingsMatching(without(search, chosen), () => ({
    columns: sql`variant_id, ${sql.join(missed, sql` || `)} as missed
      ${sql.join(ofListings.map((facet) => sql`, ${facetColumn(facet)}`))}`,
    where:
      chosen.length > 0
        ? sql`iif(${isShort}, missed in ('', ${sql.join(chosen.map(nameOf), sql`, `)}), ${and(...passed)})`
        : undefined,
    limit:
      chosen.length > 0
        ? sql`iif(${isShort}, ${maxLookedThrough}, ${maxCountedListings})`
        : isCountedByVariant || ofListings.length === 0
          ? sql`iif(${isCountedByVariant ? isFew : isShort}, ${maxCountedListings}, 0)`
          : maxCountedListings,
  }));
  const listed = sql`listed as materialized (${narrowsVariants(search) ? countsOfVariants(search, isCountedByVariant) : countsOfCategory(search)})`;
  const fromMatches = [
    sql`, 'ofMatches', (select json_group_array(json_array(number, ${variantColumns}))
      from (select sum(number) as number, ${variantColumns}
        from (select variant_id, count(*) as number from matched where missed = '' group by variant_id)
        cross join device_variants on device_variants.id = variant_id group by ${variantColumns}))`,
    sql`, 'matches', (select json_object('all', count(*) filter (where missed = '')
      ${sql.join(ofListings.map((facet) => sql`, ${countsOf(facet)}`))}) from matched)`,
  ];
  const isByVariantAlone = isCountedByVariant && ofListings.length === 0;
  return db
    .select({
      counts: sql`counts`.mapWith(
        (json: string): FacetCounts => knownCounts({ search, counted }, JSON.parse(json)),
      ),
    })
    .from(
      sql`(${withCtes([...ctes, listed, ...(isByVariantAlone ? [] : [sql`matched as materialized (${rows})`])])}
        select json_object('ofVariants', (select json_group_array(json_array(listed, ${variantColumns})) from listed)
          ${sql.join(isByVariantAlone ? [] : fromMatches)}) as counts)`,
    );
}

/** Of the variants that match words or filters, which are read at once where their listings need not be. */
function countsOfVariants(search: Search, isCountedByVariant: boolean): SQL {
  const variants = isCountedByVariant
    ? sql`device_variants where ${variantsMatching(search)}`
    : sql`variants`;
  return sql`select sum(listed) as listed, ${variantColumns} from ${variants} group by ${variantColumns}`;
}

/** Of all variants of a category: the numbers that a trigger keeps for each facet. */
function countsOfCategory({ category: { key } }: Search): SQL {
  const values = variantFacets.map(
    (facet) => sql`iif(facet = ${nameOf(facet)}, value, null) as ${facetColumn(facet)}`,
  );
  return sql`select listed, ${sql.join(values, sql`, `)} from listed_counts
    where facet <> 'all' and listed > 0 ${key === "products" ? sql`` : sql`and category = ${key}`}`;
}

/** How many matches count for a facet of listings, in all and with each of its values. */
function countsOf(facet: Facet): SQL {
  const number = (condition: SQL) =>
    sql`count(*) filter (where missed in ('', ${nameOf(facet)}) and ${condition})`;
  const values = (facet.values ?? []).map(
    (value) => sql`${value}, ${number(facetCondition(facet, [value]))}`,
  );
  // Without parameters, since D1 allows 100 in a statement.
  return sql`${nameOf(facet)}, json_array(${number(sql`true`)}, json_object(${sql.join(values, sql`, `)}))`.inlineParams();
}

const nameOf = ({ name }: Facet) => sql`${name}`.inlineParams();

function knownCounts({ search, counted }: CountQuery, read: ReadCounts): FacetCounts {
  const { ofVariants, ofMatches = [], matches } = read;
  const isCountedByVariant = countListingFilters(search.query) === 0;
  // A row may have the value of one facet only.
  const listed = ofVariants.reduce((sum, [count, value]) => sum + (value === null ? 0 : count), 0);
  const isShort = listed <= maxLookedThrough;
  const all = isCountedByVariant || !matches ? listed : matches.all;
  // Of facets of variants alone numbers may be missing, where counting would take long.
  const isComplete = all < maxCountedListings && (isShort || counted.some(({ ofVariant }) => !ofVariant));
  const counts = counted.map((facet) => {
    if (facet.ofVariant) {
      const isKnown = isCountedByVariant || isComplete;
      return [facet.name, sumsBy(facet, isKnown && !isCountedByVariant ? ofMatches : ofVariants, isKnown)];
    }
    const [counting = 0, ofValues = null] = matches?.[facet.name] ?? [];
    if (!isChosen(search, facet)) return [facet.name, isComplete ? ofValues : null];
    return [facet.name, isShort && counting < maxCountedListings ? ofValues : null];
  });
  return { ...Object.fromEntries(counts), all, listed };
}

/** The values of a facet of variants with most listings, each with its number if it is known. */
function sumsBy(facet: Facet, counts: CountOfValues[], isKnown: boolean): Record<string, number | null> {
  const at = variantFacets.indexOf(facet);
  const sums = new Map<string, number>();
  for (const [count, ...values] of counts) {
    const value = values[at];
    if (value != null) sums.set(value, (sums.get(value) ?? 0) + count);
  }
  const most = [...sums].sort(([, one], [, other]) => other - one).slice(0, maxChoices);
  return Object.fromEntries(most.map(([value, count]) => [value, isKnown ? count : null]));
}
