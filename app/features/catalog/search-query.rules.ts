import { type Cursor, numberKey, parseCursor, valueAndNumberKey } from "./cursor.rules.ts";
import { type Facet, type Filters, facets, noFilters } from "./facets.rules.ts";
import { hasWords } from "./search-words.rules.ts";

/** How a list may be ordered; the first is the usual one. */
export const searchOrders = ["newest", "price-up", "price-down", "saving"] as const;

export type SearchOrder = (typeof searchOrders)[number];

/** What a visitor asks of a list, as the address says it. */
export interface SearchQuery {
  /** As typed, trimmed and cut; empty for all. */
  words: string;
  /** Search for the words as they are, although nothing has them and others like them have. */
  exact: boolean;
  filters: Filters;
  /** Asking price in cents, both ends included. */
  fromCents: number | null;
  toCents: number | null;
  order: SearchOrder;
  cursor: Cursor;
  /** How many further pages stand below the first one, loaded by and by. */
  more: number;
}

/** Maximum length of a search, in characters. */
export const maxQueryLength = 100;
/** Values of one facet that may be chosen at once. */
const maxValuesPerFacet = 20;
const maxValueLength = 60;

/** Pages that may be loaded below the first; who wants still more goes on to the next page. */
export const maxExtraPages = 9;

/** Reads a query from an address; nonsense in a parameter is as if it were not there. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const sort = parameters.get("sort");
  const order = searchOrders.find((known) => known === sort) ?? "newest";
  const cursor = parseCursor(parameters, order === "newest" ? numberKey : valueAndNumberKey);
  const words = (parameters.get("q") ?? "").trim().replace(/\s+/g, " ").slice(0, maxQueryLength);
  return {
    words,
    exact: parameters.get("exact") === "yes" && hasWords(words),
    filters: Object.fromEntries(facets.map((facet) => [facet.name, chosen(parameters, facet)])) as Filters,
    fromCents: cents(parameters.get("from")),
    toCents: cents(parameters.get("to")),
    order,
    cursor,
    more: canLoadMore(cursor) ? further(parameters.get("more")) : 0,
  };
}

/**
 * Writes a query as an address does, in one order whatever order it was typed in, and without what says nothing.
 *
 * @returns with its question mark, or empty
 */
export function searchString(query: SearchQuery): string {
  const parameters = new URLSearchParams();
  if (query.words) parameters.set("q", query.words);
  if (query.exact) parameters.set("exact", "yes");
  for (const { name } of facets) for (const value of query.filters[name]) parameters.append(name, value);
  if (query.fromCents !== null) parameters.set("from", String(query.fromCents / 100));
  if (query.toCents !== null) parameters.set("to", String(query.toCents / 100));
  if (query.order !== "newest") parameters.set("sort", query.order);
  if (query.cursor && "after" in query.cursor) parameters.set("after", query.cursor.after);
  if (query.cursor && "before" in query.cursor) parameters.set("before", query.cursor.before);
  if (query.more > 0) parameters.set("more", String(query.more));
  const search = parameters.toString();
  return search && `?${search}`;
}

/** The beginning of what matches, whichever page of it was looked at. */
export function firstPage(query: SearchQuery): SearchQuery {
  return { ...query, cursor: null, more: 0 };
}

/** Whether further pages can be loaded below a page: one that ends at a cursor has another's beginning below it. */
export function canLoadMore(cursor: Cursor): boolean {
  return cursor === null || "after" in cursor;
}

/** The whole list, in the order that was asked for. */
export function withoutFilters(query: SearchQuery): SearchQuery {
  return {
    ...firstPage(query),
    words: "",
    exact: false,
    filters: noFilters,
    fromCents: null,
    toCents: null,
  };
}

/** Whether a query leaves anything out. */
export function isFiltered({ words, filters, fromCents, toCents }: SearchQuery): boolean {
  const chosen = facets.some(({ name }) => filters[name].length > 0);
  return chosen || fromCents !== null || toCents !== null || hasWords(words);
}

/** Whether a query's lowest price is above its highest, so that nothing can match. */
export function isPriceRangeInverted({ fromCents, toCents }: SearchQuery): boolean {
  return fromCents !== null && toCents !== null && fromCents > toCents;
}

/** Tells the visitor that the price range is crossed. */
export const invertedPriceRangeMessage = 'The "From" price is higher than the "To" price.';

function chosen(parameters: URLSearchParams, { name, values, single }: Facet): string[] {
  const asked = parameters.getAll(name);
  if (values) return values.filter((value) => asked.includes(value)).slice(0, single ? 1 : undefined);
  const wanted = asked.filter((value) => value !== "" && value.length <= maxValueLength);
  return [...new Set(wanted)].sort().slice(0, maxValuesPerFacet);
}

function further(pages: string | null): number {
  return /^\d{1,2}$/.test(pages ?? "") ? Math.min(Number(pages), maxExtraPages) : 0;
}

/** A price in dollars as people type one: "1,250", "$99.5". */
function cents(typed: string | null): number | null {
  if (!typed) return null;
  const plain = typed
    .trim()
    .replace(/^\$\s*/, "")
    .replace(/,(?=\d{3})/g, "");
  if (!/^\d{1,7}(\.\d{0,2})?$/.test(plain)) return null;
  return Math.round(Number(plain) * 100);
}
