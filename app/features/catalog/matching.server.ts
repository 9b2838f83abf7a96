import { and, asc, desc, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { deviceVariants, phones } from "#app/db/schema.ts";
import type { Category } from "../listings/category.rules.ts";
import { isBackwards } from "./cursor.rules.ts";
import { type Facet, type FacetName, facets } from "./facets.rules.ts";
import type { SearchOrder, SearchQuery } from "./search-query.rules.ts";
import { ftsQuery } from "./search-words.rules.ts";

/** What is looked for, and where. */
export interface Search {
  category: Pick<Category, "key">;
  query: SearchQuery;
  /** A further condition for variants. */
  variantCondition?: SQL;
  /** Facets with a value chosen, all of variants or all of listings, of which one at most may be missed. */
  relaxedFacets?: Facet[];
}

const orders: Record<SearchOrder, { value: SQL; ascending: boolean }> = {
  newest: { value: sql`number`, ascending: false },
  "price-up": { value: sql`selling_cents`, ascending: true },
  "price-down": { value: sql`selling_cents`, ascending: false },
  saving: { value: sql`saving_cents`, ascending: false },
};

/**
 * The index that listings are read through: by variant, by price, or in the list's order, skipping what does not match;
 * or "none", where too many would be read only to be counted.
 */
type AccessPath = "variant" | "price" | "order" | "none";

/** Up to this many listings are read by variant and sorted; each filter on listings doubles it. */
const maxSortedListings = 5000;
/** Up to this many listings are read by price and sorted. */
const maxPricedListings = 2500;
/** Up to this many listings are read by variant to count those that miss a facet. */
const maxRelaxedListings = 20_000;

/** How the listings that match are read. */
interface ReadOptions {
  columns: SQL;
  where?: SQL;
  /** Undefined where any listings that match will do, as for counting. */
  orderBy?: SQL;
  limit: number;
}

/**
 * A query of the listings on a page of a search: their `row_id`, the `value` that the list is ordered by, and their
 * `number`. `orderBy` is for the query around it, which calls this one `page`.
 */
export function pageRowIds(search: Search, limit: number) {
  const { order, cursor } = search.query;
  const { value, ascending } = orders[order];
  const direction = ascending !== isBackwards(cursor) ? asc : desc;
  const { ctes, rows } = listingsMatching(search, {
    columns: sql`phones.rowid as row_id, ${value} as value, number`,
    where: beyondCursor(search.query, direction),
    orderBy:
      order === "newest" ? direction(sql`number`) : sql`${direction(value)}, ${direction(sql`number`)}`,
    limit,
  });
  return {
    rowIds: sql`${withCtes(ctes)} ${rows}`,
    orderBy: [direction(sql`page.value`), direction(sql`page.number`)],
  };
}

function beyondCursor({ order, cursor }: SearchQuery, direction: typeof asc | typeof desc): SQL | undefined {
  if (cursor === null) return undefined;
  const sortKey = "after" in cursor ? cursor.after : cursor.before;
  const [number, value] = sortKey.split(".").map(Number).toReversed();
  const than = direction === asc ? sql`>` : sql`<`;
  if (order === "newest") return sql`number ${than} ${number}`;
  return sql`(${orders[order].value}, number) ${than} (${value ?? 0}, ${number})`;
}

/**
 * A query of the listings that match, each once, and the common table expressions that go before it. The database picks
 * the index by how many listings the variants that match and the range of prices have; all but one of the branches have
 * the limit 0. Where listings may miss a facet, `isTooMany` says whether they are too many to be read.
 */
export function listingsMatching(
  search: Search,
  options: ReadOptions,
): { ctes: SQL[]; rows: SQL; isTooMany?: SQL } {
  const { query } = search;
  const variant = narrowsVariants(search);
  const price = hasPriceRange(query) && !(options.orderBy && query.order.startsWith("price"));
  const fallback = fallbackOf(search, options, { variant, price });
  const accesses = new Set<AccessPath>([
    ...(variant ? ["variant" as const] : []),
    ...(price ? ["price" as const] : []),
    fallback,
  ]);
  const several = accesses.size > 1;
  const branches = [...accesses]
    .filter((access) => access !== "none")
    .map((access) => {
      const limit = several
        ? sql`(select iif(way = ${access}, ${options.limit}, 0) from access)`
        : sql`${options.limit}`;
      return sql`select * from (${listingsBy(access, search, options)} limit ${limit})`;
    });
  const ctes = [
    ...(variant
      ? [
          sql`variants as materialized (select id, listed from device_variants where ${variantsMatching(search)})`,
        ]
      : []),
    ...(several
      ? [sql`access(way) as materialized (${accessFor(search, { variant, price, fallback })})`]
      : []),
  ];
  return {
    ctes,
    rows: sql.join(branches, sql` union all `),
    ...(accesses.has("none") && { isTooMany: sql`(select way = 'none' from access)` }),
  };
}

export function withCtes(ctes: SQL[]): SQL {
  return ctes.length > 0 ? sql`with ${sql.join(ctes, sql`, `)}` : sql``;
}

/** How listings are read where none of the counts is small. */
function fallbackOf(
  { relaxedFacets }: Search,
  { orderBy }: ReadOptions,
  { variant, price }: { variant: boolean; price: boolean },
): AccessPath {
  if (orderBy) return "order";
  if (variant) return relaxedFacets ? "none" : "variant";
  return price ? "price" : "order";
}

function accessFor(
  search: Search,
  { variant, price, fallback }: { variant: boolean; price: boolean; fallback: AccessPath },
): SQL {
  const few = search.relaxedFacets
    ? maxRelaxedListings
    : maxSortedListings * 2 ** countListingFilters(search.query);
  const many = Number.MAX_SAFE_INTEGER;
  const listings = variant ? sql`(select coalesce(sum(listed), 0) from variants)` : sql`${many}`;
  const priced = price
    ? sql`(select count(*) from (select 1 from phones indexed by ${indexOf("price", search)}
        where ${and(sql`listed`, inCategory(search), ...priceConditions(search.query))} limit ${maxPricedListings + 1}))`
    : sql`${many}`;
  return sql`select case when priced <= ${maxPricedListings} and priced < listings then 'price'
    when listings <= ${few} then 'variant' else ${fallback} end
    from (select ${listings} as listings, ${priced} as priced)`;
}

function listingsBy(access: AccessPath, search: Search, { columns, where, orderBy }: ReadOptions): SQL {
  const { query } = search;
  const conditions = and(
    sql`listed`,
    access === "variant" ? undefined : inCategory(search),
    narrowsVariants(search) ? sql`variant_id in (select id from variants)` : undefined,
    ...priceConditions(query),
    facetConditions(search, false),
    where,
  );
  return sql`select ${columns} from phones indexed by ${indexOf(access, search)} where ${conditions}
    ${orderBy ? sql`order by ${orderBy}` : sql``}`;
}

function indexOf(access: AccessPath, { category, query }: Search): SQL {
  if (access === "variant") return sql`catalog_variant`;
  const order = access === "price" || query.order.startsWith("price") ? "price" : query.order;
  return sql.raw(`catalog_${category.key === "products" ? "" : "category_"}${order}`);
}

/** The condition for variants that match, of which listings are listed. */
export function variantsMatching(search: Search): SQL | undefined {
  const { category, query, variantCondition } = search;
  const match = ftsQuery(query.words);
  return and(
    gt(deviceVariants.listed, 0),
    variantCondition,
    category.key === "products" ? undefined : eq(deviceVariants.category, category.key),
    match === null
      ? undefined
      : sql`id in (select rowid from device_variants_fts where device_variants_fts match ${match})`,
    facetConditions(search, true),
  );
}

/** The conditions of the chosen facets of variants, or of those that each listing has to meet by itself. */
function facetConditions({ query, relaxedFacets = [] }: Search, ofVariant: boolean): SQL | undefined {
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

/** The sum of the bits of the facets that a row misses. */
export function failedFacetBits({ query, relaxedFacets = [] }: Pick<Search, "query" | "relaxedFacets">): SQL {
  const misses = relaxedFacets.map(
    (facet) => sql` + iif(${facetCondition(facet.name, query)}, 0, ${facetBit(facet)})`,
  );
  return sql`(0${sql.join(misses)})`;
}

/** The bit that stands for a facet in `failedFacetBits`. */
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

function priceConditions({ fromCents, toCents }: SearchQuery) {
  return [
    fromCents === null ? undefined : gte(phones.sellingCents, fromCents),
    toCents === null ? undefined : lte(phones.sellingCents, toCents),
  ];
}

function inCategory({ category }: Search) {
  return category.key === "products" ? undefined : eq(phones.category, category.key);
}

/** Whether a search leaves out any variants. */
export function narrowsVariants({
  query: { words, filters },
  variantCondition,
  relaxedFacets = [],
}: Search): boolean {
  const chosen = facets.filter(({ name, ofVariant }) => ofVariant && filters[name].length > 0);
  return (
    variantCondition !== undefined ||
    ftsQuery(words) !== null ||
    chosen.length > (chosen.some((facet) => relaxedFacets.includes(facet)) ? 1 : 0)
  );
}

export function hasPriceRange({ fromCents, toCents }: SearchQuery): boolean {
  return fromCents !== null || toCents !== null;
}

/** How many filters each listing has to pass by itself. */
function countListingFilters(query: SearchQuery): number {
  return chosenListingFacets(query).length + (hasPriceRange(query) ? 1 : 0);
}

/** The facets of listings, not of variants, that have a value chosen. */
export function chosenListingFacets({ filters }: SearchQuery): FacetName[] {
  return facets
    .filter(({ name, ofVariant }) => !ofVariant && filters[name].length > 0)
    .map(({ name }) => name);
}

/** `IN` with one JSON parameter: D1 allows 100 bound parameters a statement. */
function isOneOf(column: ReturnType<typeof sql.identifier>, values: string[]): SQL {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} in (select json_each.value from json_each(${JSON.stringify(values)}))`;
}
