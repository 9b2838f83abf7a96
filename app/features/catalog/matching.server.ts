import { and, asc, desc, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { deviceVariants, phones } from "#app/db/schema.ts";
import type { Category } from "../listings/category.rules.ts";
import { isBackwards } from "./cursor.rules.ts";
import { type FacetName, facets } from "./facets.rules.ts";
import type { SearchOrder, SearchQuery } from "./search-query.rules.ts";
import { ftsQuery } from "./search-words.rules.ts";

/** What is looked for, and where. */
export interface Search {
  category: Pick<Category, "key">;
  query: SearchQuery;
  /** A further condition for variants. */
  variantCondition?: SQL;
}

const orders: Record<SearchOrder, { value: SQL; ascending: boolean }> = {
  newest: { value: sql`number`, ascending: false },
  "price-up": { value: sql`selling_cents`, ascending: true },
  "price-down": { value: sql`selling_cents`, ascending: false },
  saving: { value: sql`saving_cents`, ascending: false },
};

/** The index that listings are read through: by variant, by price, or in the list's order, skipping what does not match. */
type AccessPath = "variant" | "price" | "order";

/** Up to this many listings are read by variant and sorted; each filter on listings doubles it. */
const maxSortedListings = 5000;
/** Up to this many listings are read by price and sorted. */
const maxPricedListings = 2500;

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
  const rowIds = listingsMatching(search, {
    columns: sql`phones.rowid as row_id, ${value} as value, number`,
    where: beyondCursor(search.query, direction),
    orderBy:
      order === "newest" ? direction(sql`number`) : sql`${direction(value)}, ${direction(sql`number`)}`,
    limit,
  });
  return { rowIds, orderBy: [direction(sql`page.value`), direction(sql`page.number`)] };
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
 * A query of the listings that match, each once. The database picks the index by how many listings the variants that
 * match and the range of prices have; all but one of the branches have the limit 0.
 */
export function listingsMatching(search: Search, options: ReadOptions): SQL {
  const { query } = search;
  const variant = narrowsVariants(search);
  const price = hasPriceRange(query) && !(options.orderBy && query.order.startsWith("price"));
  const fallback: AccessPath = options.orderBy ? "order" : variant ? "variant" : price ? "price" : "order";
  const accesses = new Set<AccessPath>([
    ...(variant ? ["variant" as const] : []),
    ...(price ? ["price" as const] : []),
    fallback,
  ]);
  const several = accesses.size > 1;
  const branches = [...accesses].map((access) => {
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
  return sql`${ctes.length > 0 ? sql`with ${sql.join(ctes, sql`, `)}` : sql``} ${sql.join(branches, sql` union all `)}`;
}

function accessFor(
  search: Search,
  { variant, price, fallback }: { variant: boolean; price: boolean; fallback: AccessPath },
): SQL {
  const few = maxSortedListings * 2 ** countListingFilters(search.query);
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
    ...listingConditions(query),
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
export function variantsMatching({ category, query, variantCondition }: Search): SQL | undefined {
  const match = ftsQuery(query.words);
  return and(
    gt(deviceVariants.listed, 0),
    variantCondition,
    category.key === "products" ? undefined : eq(deviceVariants.category, category.key),
    match === null
      ? undefined
      : sql`id in (select rowid from device_variants_fts where device_variants_fts match ${match})`,
    ...facets.map(({ name, ofVariant }) =>
      ofVariant ? isOneOf(sql.identifier(name), query.filters[name]) : undefined,
    ),
  );
}

/** The conditions that a listing has to meet by itself, whichever its variant. */
function listingConditions({ filters: { condition, battery, verified, available } }: SearchQuery) {
  const [health] = battery;
  return [
    condition.length > 0 ? inArray(sql`condition`, condition) : undefined,
    health ? gte(phones.batteryHealth, Number(health)) : undefined,
    verified.length > 0 ? sql`seller_verified` : undefined,
    available.length > 0 ? sql`status = 'available'` : undefined,
  ];
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

/** Whether a query says something of variants. */
export function narrowsVariants({ query: { words, filters }, variantCondition }: Search): boolean {
  return (
    variantCondition !== undefined ||
    ftsQuery(words) !== null ||
    facets.some(({ name, ofVariant }) => ofVariant && filters[name].length > 0)
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
function isOneOf(column: ReturnType<typeof sql.identifier>, values: string[]): SQL | undefined {
  if (values.length === 0) return undefined;
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} in (select json_each.value from json_each(${JSON.stringify(values)}))`;
}
