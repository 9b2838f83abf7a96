import { and, asc, desc, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { deviceVariants, phones } from "#app/db/schema.ts";
import type { Category } from "../phones/category.rules.ts";
import { isBackwards } from "./cursor.rules.ts";
import { type FacetName, facets } from "./facets.rules.ts";
import type { SearchOrder, SearchQuery } from "./search-query.rules.ts";
import { wordsMatch } from "./search-words.rules.ts";

/** What is looked for, and where. */
export interface Search {
  category: Pick<Category, "key">;
  query: SearchQuery;
  /** A further condition for variants. */
  variants?: SQL;
}

const orders: Record<SearchOrder, { value: SQL; ascending: boolean }> = {
  newest: { value: sql`number`, ascending: false },
  "price-up": { value: sql`selling_cents`, ascending: true },
  "price-down": { value: sql`selling_cents`, ascending: false },
  saving: { value: sql`saving_cents`, ascending: false },
};

/**
 * Which index listings are read through: that of each matching variant, that of prices, or that of the list's order,
 * of which listings that do not match are skipped.
 */
type Access = "variant" | "price" | "order";

/** Up to so many listings of variants are read and sorted rather than skipped through; each filter doubles it. */
const fewListings = 5000;
/** Up to so many listings within a range of prices are. */
const narrowPrice = 2500;

/** How the listings that match are read. */
interface Reading {
  columns: SQL;
  where?: SQL;
  /** Undefined where any listings that match will do, as for counting. */
  orderBy?: SQL;
  limit: number;
}

/**
 * A query of the places that a page of a search has: `place` is the rowid of a listing, `value` what the list is
 * ordered by, `number` the listing's number. `orderBy` puts rows with these columns of `page` in the order of reading.
 */
export function pagePlaces(search: Search, limit: number) {
  const { order, cursor } = search.query;
  const { value, ascending } = orders[order];
  const direction = ascending !== isBackwards(cursor) ? asc : desc;
  const places = listingsMatching(search, {
    columns: sql`phones.rowid as place, ${value} as value, number`,
    where: beyondCursor(search.query, direction),
    orderBy:
      order === "newest" ? direction(sql`number`) : sql`${direction(value)}, ${direction(sql`number`)}`,
    limit,
  });
  return { places, orderBy: [direction(sql`page.value`), direction(sql`page.number`)] };
}

function beyondCursor({ order, cursor }: SearchQuery, direction: typeof asc | typeof desc): SQL | undefined {
  if (cursor === null) return undefined;
  const place = "after" in cursor ? cursor.after : cursor.before;
  const [number, value] = place.split(".").map(Number).toReversed();
  const than = direction === asc ? sql`>` : sql`<`;
  if (order === "newest") return sql`number ${than} ${number}`;
  return value === undefined
    ? undefined
    : sql`(${orders[order].value}, number) ${than} (${value}, ${number})`;
}

/**
 * A query of the listings that match, each once. The database picks the index by how many listings the variants that
 * match and the range of prices have; all but one of the branches have the limit 0.
 */
export function listingsMatching(search: Search, reading: Reading): SQL {
  const { query } = search;
  const variant = narrowsVariants(search);
  const price = hasPrice(query) && !(reading.orderBy && query.order.startsWith("price"));
  const fallback: Access = reading.orderBy ? "order" : variant ? "variant" : price ? "price" : "order";
  const accesses = new Set<Access>([
    ...(variant ? ["variant" as const] : []),
    ...(price ? ["price" as const] : []),
    fallback,
  ]);
  const several = accesses.size > 1;
  const branches = [...accesses].map((access) => {
    const limit = several
      ? sql`(select iif(way = ${access}, ${reading.limit}, 0) from access)`
      : sql`${reading.limit}`;
    return sql`select * from (${listingsBy(access, search, reading)} limit ${limit})`;
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
  { variant, price, fallback }: { variant: boolean; price: boolean; fallback: Access },
): SQL {
  const few = fewListings * 2 ** listingFilters(search.query);
  const many = Number.MAX_SAFE_INTEGER;
  const listings = variant ? sql`(select coalesce(sum(listed), 0) from variants)` : sql`${many}`;
  const priced = price
    ? sql`(select count(*) from (select 1 from phones indexed by ${indexOf("price", search)}
        where ${and(sql`listed`, inCategory(search), ...priceRange(search.query))} limit ${narrowPrice + 1}))`
    : sql`${many}`;
  return sql`select case when priced <= ${narrowPrice} and priced < listings then 'price'
    when listings <= ${few} then 'variant' else ${fallback} end
    from (select ${listings} as listings, ${priced} as priced)`;
}

function listingsBy(access: Access, search: Search, { columns, where, orderBy }: Reading): SQL {
  const { query } = search;
  const conditions = and(
    sql`listed`,
    access === "variant" ? undefined : inCategory(search),
    narrowsVariants(search) ? sql`variant_id in (select id from variants)` : undefined,
    ...priceRange(query),
    ...listingConditions(query),
    where,
  );
  return sql`select ${columns} from phones indexed by ${indexOf(access, search)} where ${conditions}
    ${orderBy ? sql`order by ${orderBy}` : sql``}`;
}

function indexOf(access: Access, { category, query }: Search): SQL {
  if (access === "variant") return sql`catalog_variant`;
  const order = access === "price" || query.order.startsWith("price") ? "price" : query.order;
  return sql.raw(`catalog_${category.key === "products" ? "" : "category_"}${order}`);
}

/** The condition for variants that match, of which listings are listed. */
export function variantsMatching({ category, query, variants }: Search): SQL | undefined {
  const match = wordsMatch(query.words);
  return and(
    gt(deviceVariants.listed, 0),
    variants,
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

function priceRange({ fromCents, toCents }: SearchQuery) {
  return [
    fromCents === null ? undefined : gte(phones.sellingCents, fromCents),
    toCents === null ? undefined : lte(phones.sellingCents, toCents),
  ];
}

function inCategory({ category }: Search) {
  return category.key === "products" ? undefined : eq(phones.category, category.key);
}

/** Whether a query says something of variants. */
export function narrowsVariants({ query: { words, filters }, variants }: Search): boolean {
  return (
    variants !== undefined ||
    wordsMatch(words) !== null ||
    facets.some(({ name, ofVariant }) => ofVariant && filters[name].length > 0)
  );
}

export function hasPrice({ fromCents, toCents }: SearchQuery): boolean {
  return fromCents !== null || toCents !== null;
}

/** How many filters each listing has to pass by itself. */
function listingFilters(query: SearchQuery): number {
  return chosenOfListings(query).length + (hasPrice(query) ? 1 : 0);
}

/** The facets of listings, not of variants, that have a value chosen. */
export function chosenOfListings({ filters }: SearchQuery): FacetName[] {
  return facets
    .filter(({ name, ofVariant }) => !ofVariant && filters[name].length > 0)
    .map(({ name }) => name);
}

/** Any number of values as one parameter: D1 takes a hundred for a statement. */
function isOneOf(column: ReturnType<typeof sql.identifier>, values: string[]): SQL | undefined {
  if (values.length === 0) return undefined;
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  return sql`${column} in (select json_each.value from json_each(${JSON.stringify(values)}))`;
}
