import { and, asc, desc, eq, getTableColumns, gt, gte, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { isOneOf } from "#app/db/conditions.server.ts";
import { isBackwards, sortKeyOf } from "#app/db/cursor.ts";
import { deviceVariants, phones } from "#app/db/schema.ts";
import { sizeKeyOf, spellingsOf } from "../../listings/device-variants.server.ts";
import { usualPriceColumn } from "../../listings/fair-price.server.ts";
import { cardColumns } from "../../listings/listings.server.ts";
import { sizeKey } from "../../listings/size.rules.ts";
import type { Category } from "../category.rules.ts";
import { type Facet, type Filters, facets } from "./facets.rules.ts";
import type { SearchQuery, SearchSort } from "./search-query.rules.ts";
import { dividedWords, ftsQuery, ftsQueryOfWords, hasWords, modelTerms } from "./search-words.rules.ts";

export interface Search {
  category: Pick<Category, "key">;
  query: SearchQuery;
  variantCondition?: SQL;
}

/** Relevance puts exact models first; where too many listings match to be sorted, it is newest first. */
const sorts: Record<SearchSort, { value: SQL; ascending: boolean }> = {
  relevance: { value: sql`0`, ascending: false },
  newest: { value: sql`number`, ascending: false },
  "price-up": { value: sql`selling_cents`, ascending: true },
  "price-down": { value: sql`selling_cents`, ascending: false },
  saving: { value: sql`saving_cents`, ascending: false },
};

/** The index that listings are read by: by variant, by price, or in list order, skipping those that do not match. */
type AccessPath = "variant" | "price" | "order";

/** Up to so many listings are read by variant, then sorted. Each filter on listings doubles the number, up to five times. */
const maxSortedListings = 5000;
/** Up to so many listings are read by price, then sorted. */
const maxPricedListings = 2500;

interface ReadOptions {
  columns: SQL;
  where?: SQL;
  /** Conditions, one for each tier of listings, the best first. A tier is read only if those before it do not fill the page. */
  tiers?: SQL[];
  /** Undefined if the order does not matter, as for counting. */
  orderBy?: SQL;
  limit: number | SQL;
}

/**
 * Builds the query for one page of a search: `row_id`, the `value` to sort by, and `number` of each listing. `orderBy`
 * refers to this query under the alias `page`.
 */
export function pageRowIds(search: Search, limit: number) {
  const { sort, cursor } = search.query;
  const direction = sorts[sort].ascending !== isBackwards(cursor) ? asc : desc;
  const byNumber = direction(sql`number`);
  const { ctes, rows } = listingsMatching(search, (access) => {
    const isAtLeast = (exact: number) =>
      sql`(variant_id in (select id from variants where exact >= ${exact}))`;
    const exact = access === "variant" ? sql`exact` : sql`(${isAtLeast(1)} + ${isAtLeast(2)})`;
    const isByRelevance = sort === "relevance" && access !== "order";
    const isByNumber = sort === "newest" || (sort === "relevance" && !isByRelevance);
    const value = isByRelevance ? exact : sorts[sort].value;
    const tiers = isByRelevance ? [exact, sql`not ${exact}`] : undefined;
    return {
      columns: sql`phones.rowid as row_id, ${value} as value, number`,
      where: beyondCursor(search.query, value, direction),
      tiers: isBackwards(cursor) ? tiers?.toReversed() : tiers,
      orderBy: isByNumber ? byNumber : sql`${direction(value)}, ${byNumber}`,
      limit,
    };
  });
  return {
    rowIds: sql`${withCtes(ctes)} ${rows}`,
    // As the query itself, so that SQLite does not sort again.
    orderBy: [...(sort === "newest" ? [] : [direction(sql`page.value`)]), direction(sql`page.number`)],
  };
}

/** The first phones of a search, or those beyond its cursor. */
export function searchPageQuery(db: Db, search: Search, limit: number) {
  const { rowIds, orderBy } = pageRowIds(search, limit);
  return db
    .select({
      ...cardColumns,
      usualCents: usualPriceColumn(db),
      value: sql<number>`page.value`.as("value"),
      number: phones.number,
    })
    .from(sql`(${rowIds}) as page`)
    .crossJoin(phones)
    .where(sql`phones.rowid = page.row_id`)
    .orderBy(...orderBy);
}

function beyondCursor({ sort, cursor }: SearchQuery, sorted: SQL, direction: typeof asc | typeof desc) {
  const sortKey = sortKeyOf(cursor);
  if (sortKey === null) return undefined;
  const [number, value] = sortKey.split(".").map(Number).toReversed();
  const than = direction === asc ? sql`>` : sql`<`;
  if (sort === "newest") return sql`number ${than} ${number}`;
  return sql`(${sorted}, number) ${than} (${value ?? 0}, ${number})`;
}

/**
 * Builds the query for the matching listings and its common table expressions. The database chooses the index by the
 * number of listings of the matching variants and in the price range; all branches but one get the limit 0.
 */
export function listingsMatching(search: Search, readOptions: (access: AccessPath) => ReadOptions) {
  const { query } = search;
  const isOrdered = readOptions("variant").orderBy !== undefined;
  const isByPrice = hasPriceRange(query) && !(isOrdered && query.sort.startsWith("price"));
  const narrowed: AccessPath[] = [
    ...(narrowsVariants(search) ? ["variant" as const] : []),
    ...(isByPrice ? ["price" as const] : []),
  ];
  const accesses = isOrdered || narrowed.length === 0 ? [...narrowed, "order" as const] : narrowed;
  const several = accesses.length > 1;
  const branches = accesses.map((access) => {
    const options = readOptions(access);
    const limit = several
      ? sql`(select iif(path = ${access}, ${options.limit}, 0) from access)`
      : sql`${options.limit}`;
    const tiers = options.tiers?.map(
      (tier) => sql`select * from (${listingsBy(access, search, options, tier)} limit ${options.limit})`,
    );
    const listings = tiers ? sql.join(tiers, sql` union all `) : listingsBy(access, search, options);
    return sql`select * from (${listings} limit ${limit})`;
  });
  const ctes = [
    ...(narrowsVariants(search) ? [sql`variants as materialized (${selectVariants(search)})`] : []),
    ...(several ? [sql`access(path) as materialized (${accessFor(search, accesses)})`] : []),
  ];
  return { ctes, rows: sql.join(branches, sql` union all `) };
}

/** Selects the variants that match a search and have listed phones. */
function selectVariants(search: Search): SQL {
  const exact = search.query.sort === "relevance" ? sql`, ${exactnessOf(search.query)} as exact` : sql``;
  return sql`select id, ${variantColumns}, listed${exact} from device_variants where ${variantsMatching(search)}`;
}

/**
 * How much of the model's name the words are: 2 for all of it, in any order, with or without its brand; 1 if it ends with
 * them joined, or with the last one ("samsung s21" is a Galaxy S21); else 0: "iphone 13" is no iPhone 13 Pro.
 */
function exactnessOf({ words }: SearchQuery): SQL {
  const name = sql`replace(model_slug, '-', '')`;
  const endsWith = (slug: SQL, text: string) => sql`substr(${slug}, ${-[...text].length}) = ${text}`;
  const either = (conditions: SQL[]) => sql.join(conditions, sql` or `);
  const models = modelTerms(words).map((terms) => ({ terms, joined: terms.join("") }));
  const isWhole = models.flatMap(({ terms, joined }) => {
    const sameName = sql`${name} in (${joined}, replace(lower(brand), ' ', '') || ${joined})`;
    // A Nokia 2.3 is no Nokia 3.2.
    if (terms.filter((term) => /^\d+$/.test(term)).length > 1) return [sameName];
    const wholeWords = JSON.stringify(terms.map((term) => `-${term}-`));
    const inAnyOrder = (
      slug: SQL,
    ) => sql`length(replace(${slug}, '-', '')) = ${[...joined].length} and not exists (
      select 1 from json_each(${wholeWords}) where instr('-' || ${slug} || '-', value) = 0)`;
    return [sameName, inAnyOrder(sql`model_slug`), inAnyOrder(sql`substr(model_slug, length(brand) + 2)`)];
  });
  const isEnd = models.flatMap(({ terms, joined }) => [
    endsWith(name, joined),
    endsWith(sql`model_slug`, `-${terms.at(-1)}`),
  ]);
  return models.length === 0
    ? sql`1`
    : sql`case when ${either(isWhole)} then 2 when ${either(isEnd)} then 1 else 0 end`;
}

export function variantsMatching({ category, query, variantCondition }: Search): SQL | undefined {
  return and(
    gt(deviceVariants.listed, 0),
    variantCondition,
    category.key === "products" ? undefined : eq(deviceVariants.category, category.key),
    deviceCondition(query),
  );
}

/** The condition on `device_variants` for words and filters; undefined if there are none. */
export function deviceCondition(query: SearchQuery): SQL | undefined {
  const { models, excluded } = dividedWords(query.words);
  const isOnlyExcluded = models.length === 0 && excluded.length > 0;
  return and(
    models.length > 0 ? matchesText(ftsQueryOfWords(query.words)) : undefined,
    isOnlyExcluded ? sql`not ${matchesText(ftsQuery(excluded))}` : undefined,
    facetConditions(query, true),
  );
}

const matchesText = (match: string): SQL =>
  sql`id in (select rowid from device_variants_fts where device_variants_fts match ${match})`;

export const withCtes = (ctes: SQL[]): SQL =>
  ctes.length > 0 ? sql`with ${sql.join(ctes, sql`, `)}` : sql``;

/** Selects the path by which a page is read with the fewest listings. */
function accessFor(search: Search, accesses: AccessPath[]): SQL {
  const few = maxSortedListings * 2 ** Math.min(countListingFilters(search.query), 5);
  const many = sql`${Number.MAX_SAFE_INTEGER}`;
  const fallback = accesses.includes("order") ? "order" : "variant";
  const listings = accesses.includes("variant") ? sql`(select coalesce(sum(listed), 0) from variants)` : many;
  const priced = accesses.includes("price")
    ? sql`(select count(*) from (select 1 from phones indexed by ${indexOf("price", search)}
        where ${and(sql`listed`, inCategory(search), ...priceConditions(search.query))} limit ${maxPricedListings + 1}))`
    : many;
  return sql`select case when priced <= ${maxPricedListings} and priced < listings then 'price'
    when listings <= ${few} then 'variant' else ${fallback} end
    from (select ${listings} as listings, ${priced} as priced)`;
}

/**
 * Selects the matching listings: those of each variant, then sorted; in list order, skipping what does not match, up to the
 * end of the page; or those in a narrow range of prices, then sorted. The newest of a category:
 * `select … from phones indexed by catalog_category_newest
 * where phones.listed and phones.category = ? and variant_id in (select id from variants) and … order by number desc`
 */
function listingsBy(access: AccessPath, search: Search, options: ReadOptions, tier?: SQL): SQL {
  const isByVariant = access === "variant";
  const narrowed = narrowsVariants(search) ? sql`variant_id in (select id from variants)` : undefined;
  const conditions = and(
    sql`phones.listed`,
    tier,
    ...(isByVariant ? [sql`variant_id = variants.id`] : [inCategory(search), narrowed]),
    ...priceConditions(search.query),
    facetConditions(search.query, false),
    options.where,
  );
  return sql`select ${options.columns} from ${isByVariant ? sql`variants cross join` : sql``} phones
    indexed by ${indexOf(access, search)} where ${conditions}
    ${options.orderBy ? sql`order by ${options.orderBy}` : sql``}`;
}

function indexOf(path: AccessPath, { category, query }: Search): SQL {
  if (path === "variant") return sql`catalog_variant`;
  const isByPrice = path === "price" || query.sort.startsWith("price");
  const sort = isByPrice ? "price" : query.sort === "relevance" ? "newest" : query.sort;
  return sql.raw(`catalog_${category.key === "products" ? "" : "category_"}${sort}`);
}

const inCategory = ({ category: { key } }: Search) =>
  key === "products" ? undefined : eq(phones.category, key);

export function priceConditions({ fromCents, toCents }: SearchQuery) {
  return [
    fromCents === null ? undefined : gte(phones.sellingCents, fromCents),
    toCents === null ? undefined : lte(phones.sellingCents, toCents),
  ];
}

/** The facets of variants, or of listings, by which a search filters. */
export const chosenFacets = (filters: Filters, ofVariant: boolean) =>
  facets.filter((facet) => (facet.ofVariant ?? false) === ofVariant && filters[facet.name].length > 0);

function facetConditions({ filters }: SearchQuery, ofVariant: boolean): SQL | undefined {
  const chosen = chosenFacets(filters, ofVariant);
  return and(...chosen.map((facet) => facetCondition(facet, filters[facet.name])));
}

/** The condition that a listing, or its variant, has one of a facet's values. */
export function facetCondition(facet: Facet, values: string[]): SQL {
  const column = facetColumn(facet);
  switch (facet.compares) {
    case "one of":
      if (facet.areBrands) return sql`${column} in (${spellingsOf(values)})`;
      return facet.areSizes
        ? isOneOf(sizeKeyOf(column), values.map(sizeKey))
        : isOneOf(sql`${column}`, values);
    case "group":
      return isOneOf(sql`${column}`, facet.groups?.(values[0] ?? "") ?? []);
    case "at least":
      return sql`coalesce(${column} >= ${Number(values[0])}, 0)`;
    case "yes":
      if (facet.except !== undefined) return sql`${column} <> ${facet.except}`;
      return facet.yes === true ? sql`${column}` : sql`${column} is ${facet.yes}`;
  }
}

/** By its name alone, since queries read it through aliases. */
export function facetColumn({ property, ofVariant }: Facet) {
  const columns: Record<string, SQLiteColumn> = getTableColumns(ofVariant ? deviceVariants : phones);
  const column = columns[property];
  if (!column) throw new Error(`There is no column for ${property}.`);
  return sql.identifier(column.name);
}

/** The facets in which all listings of a variant are the same. */
export const variantFacets = facets.filter(({ ofVariant }) => ofVariant);

/** The columns of the facets in which all listings of a variant are the same. */
export const variantColumns = sql.join(variantFacets.map(facetColumn), sql`, `);

/** Whether not all variants of a category can match. */
export function narrowsVariants({ query: { words, filters }, variantCondition }: Search): boolean {
  return variantCondition !== undefined || hasWords(words) || chosenFacets(filters, true).length > 0;
}

const hasPriceRange = ({ fromCents, toCents }: SearchQuery) => fromCents !== null || toCents !== null;

/** The number of filters that not all listings of a variant pass; the price range is one. */
export function countListingFilters(query: SearchQuery): number {
  return chosenFacets(query.filters, false).length + (hasPriceRange(query) ? 1 : 0);
}
