import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import { isBackwards, sortKeyOf } from "#app/db/cursor.ts";
import {
  countListingFilters,
  facetConditions,
  hasPriceRange,
  inCategory,
  narrowsVariants,
  priceConditions,
  type Search,
  variantsMatching,
} from "./search-conditions.server.ts";
import type { SearchOrder, SearchQuery } from "./search-query.rules.ts";

const orders: Record<SearchOrder, { value: SQL; ascending: boolean }> = {
  newest: { value: sql`number`, ascending: false },
  "price-up": { value: sql`selling_cents`, ascending: true },
  "price-down": { value: sql`selling_cents`, ascending: false },
  saving: { value: sql`saving_cents`, ascending: false },
};

/**
 * The index that listings are read by: by variant, by price, or in list order, skipping those that do not match. "none"
 * if counting would read too many.
 */
type AccessPath = "variant" | "price" | "order" | "none";

/** Maximum number of listings to read by variant and sort; doubled for each listing filter. */
const maxSortedListings = 5000;
/** Maximum number of listings to read by price and sort. */
const maxPricedListings = 2500;
/** Maximum number of listings to read by variant to count those that fail a filter. */
const maxRelaxedListings = 20_000;

interface ReadOptions {
  columns: SQL;
  where?: SQL;
  /** Undefined if the order does not matter, as for counting. */
  orderBy?: SQL;
  limit: number;
}

/**
 * Builds the query for one page of a search: `row_id`, the `value` to sort by, and `number` of each listing. `orderBy`
 * refers to this query under the alias `page`.
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
  const sortKey = sortKeyOf(cursor);
  if (sortKey === null) return undefined;
  const [number, value] = sortKey.split(".").map(Number).toReversed();
  const than = direction === asc ? sql`>` : sql`<`;
  if (order === "newest") return sql`number ${than} ${number}`;
  return sql`(${orders[order].value}, number) ${than} (${value ?? 0}, ${number})`;
}

/**
 * Builds the query for the matching listings and its common table expressions. The database chooses the index by the
 * number of listings of the matching variants and in the price range; all branches but one get the limit 0. With
 * relaxed facets, `isTooMany` is an expression for whether there are too many listings to read.
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
        ? sql`(select iif(path = ${access}, ${options.limit}, 0) from access)`
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
      ? [sql`access(path) as materialized (${accessFor(search, { variant, price, fallback })})`]
      : []),
  ];
  return {
    ctes,
    rows: sql.join(branches, sql` union all `),
    ...(accesses.has("none") && { isTooMany: sql`(select path = 'none' from access)` }),
  };
}

export function withCtes(ctes: SQL[]): SQL {
  return ctes.length > 0 ? sql`with ${sql.join(ctes, sql`, `)}` : sql``;
}

/** The access path if both counts are large. */
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
