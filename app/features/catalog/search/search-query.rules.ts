import { type Cursor, isBackwards, numberKey, parseCursor, valueAndNumberKey } from "#app/db/cursor.ts";
import { maxPriceLength, parsePrice, unreadPriceText } from "#app/server/forms/parse-price.ts";
import { cutLine } from "#app/server/forms/sanitize-text.ts";
import { toAmount } from "../../listings/money.rules.ts";
import { sizeLabel } from "../../listings/size.rules.ts";
import { type Facet, type FacetName, type Filters, facets, filtersOf, takesOne } from "./facets.rules.ts";
import { maxExtraPages, maxQueryLength, maxValueLength, maxValuesPerFacet } from "./search-limits.rules.ts";
import { hasWords } from "./search-words.rules.ts";

/** The sort orders of lists, as their forms name them. */
export const searchSorts = {
  relevance: "Best match",
  newest: "Newest",
  "price-up": "Price: low to high",
  "price-down": "Price: high to low",
  saving: "Biggest saving",
} as const;

export type SearchSort = keyof typeof searchSorts;

const priceEnds = ["from", "to"] as const;

/** With words those that fit best come first; only then there is such a sort order. */
export function defaultSort(words: string): SearchSort {
  return hasWords(words) ? "relevance" : "newest";
}

/** The sort orders to choose from, the default first. */
export function sortsFor(words: string): SearchSort[] {
  return (Object.keys(searchSorts) as SearchSort[]).filter((sort) => sort !== "relevance" || hasWords(words));
}

/** The search, filters, sort order and page of a list, as its URL describes them. */
export interface SearchQuery {
  /** As typed, but trimmed and cut; empty for no search. */
  words: string;
  /** Typed words that the filters hold already; empty if there are none. Other words in their place are a new search. */
  read: string;
  /** Do not correct the spelling of the words. */
  exact: boolean;
  filters: Filters;
  /** Range of the selling price in cents, both ends included. */
  fromCents: number | null;
  toCents: number | null;
  /** What was typed for an end of the range and is no price, and what no choice of a filter is. */
  unread?: { [name in "from" | "to" | FacetName]?: string } | undefined;
  sort: SearchSort;
  cursor: Cursor;
  /** Pages that were loaded below the first one ("Load more"). */
  extraPages: number;
}

/** Parses a query string. What filters can't have is kept as `unread`; other invalid parameters are ignored. */
export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const words = parseWords(parameters.get("q"));
  const sort = sortsFor(words).find((known) => known === parameters.get("sort")) ?? defaultSort(words);
  const more = parameters.get("more") ?? "";
  const cursor = parseCursor(parameters, sort === "newest" ? numberKey : valueAndNumberKey);
  return {
    words,
    read: parseWords(parameters.get("read")),
    exact: parameters.get("exact") === "yes" && hasWords(words),
    filters: filtersOf((facet) => parseValues(parameters, facet)),
    fromCents: parsePrice(parameters.get("from")),
    toCents: parsePrice(parameters.get("to")),
    ...parseUnread(parameters),
    sort,
    cursor,
    extraPages: isBackwards(cursor) || !/^\d{1,2}$/.test(more) ? 0 : Math.min(Number(more), maxExtraPages),
  };
}

/** The query string with its question mark, in a fixed order and without defaults; or empty. */
export function searchString(query: SearchQuery): string {
  const parameters = new URLSearchParams();
  if (query.words) parameters.set("q", query.words);
  if (query.read) parameters.set("read", query.read);
  if (query.exact) parameters.set("exact", "yes");
  for (const { name } of facets) for (const value of query.filters[name]) parameters.append(name, value);
  if (query.fromCents !== null) parameters.set("from", String(toAmount(query.fromCents)));
  if (query.toCents !== null) parameters.set("to", String(toAmount(query.toCents)));
  for (const [name, typed] of Object.entries(query.unread ?? {})) if (typed) parameters.append(name, typed);
  if (query.sort !== defaultSort(query.words) && query.sort !== "relevance")
    parameters.set("sort", query.sort);
  for (const [name, key] of Object.entries(query.cursor ?? {})) parameters.set(name, key);
  if (query.extraPages > 0) parameters.set("more", String(query.extraPages));
  const search = parameters.toString();
  return search && `?${search}`;
}

/** A query string with only what changes a list, in a canonical order. */
export function normalizedSearch(parameters: URLSearchParams): string {
  return searchString(parseSearchQuery(parameters));
}

export function withoutCursor(query: SearchQuery): SearchQuery {
  return { ...query, cursor: null, extraPages: 0 };
}

export function queryWithoutFilters({ sort }: SearchQuery): SearchQuery {
  return { ...parseSearchQuery(new URLSearchParams()), sort };
}

export function isFiltered({ words, filters, fromCents, toCents }: SearchQuery): boolean {
  const chosen = facets.some(({ name }) => filters[name].length > 0);
  return chosen || fromCents !== null || toCents !== null || hasWords(words);
}

/** Whether the lower end of the price range is above the upper end, so that nothing matches. */
export function isPriceRangeInverted({ fromCents, toCents }: SearchQuery): boolean {
  return fromCents !== null && toCents !== null && fromCents > toCents;
}

export const invertedPriceRangeMessage = "“From” is higher than “To”. Swap them?";

/** The parameters that could not be read, each with what is said of it: first those of the price range. */
export function unreadParameters({ unread = {} }: SearchQuery) {
  const labels = { from: "“From”", to: "“To”" };
  return [
    ...priceEnds.map((name) => ({ name, text: unreadPriceText(labels[name], unread[name]) })),
    ...facets.map(({ name, legend }) => ({ name, text: `“${legend}” can’t be “${unread[name]}”` })),
  ].filter(({ name }) => unread[name]);
}

function parseUnread(parameters: URLSearchParams): Pick<SearchQuery, "unread"> {
  const prices = priceEnds.map((end) => [end, cutLine(parameters.get(end) ?? "", maxPriceLength)] as const);
  const unknown = facets.map((facet) => {
    const isUnknown = (value: string) => value !== "" && facet.values?.some(isValue(value)) === false;
    return [facet.name, requestedOf(parameters, facet).filter(isUnknown).sort()[0] ?? ""] as const;
  });
  const unread = [...prices.filter(([, text]) => parsePrice(text) === null), ...unknown];
  const said = unread.filter(([, text]) => text !== "");
  return said.length > 0 ? { unread: Object.fromEntries(said) } : {};
}

const parseWords = (typed: string | null) => cutLine(typed ?? "", maxQueryLength);

const requestedOf = (parameters: URLSearchParams, { name, spelled = String }: Facet) =>
  parameters.getAll(name).map((value) => spelled(cutLine(value, maxValueLength + 1)));

/** In an address that somebody wrote, "color=blue" is Blue. */
const isValue = (value: string) => (other: string) => other.toLowerCase() === value.toLowerCase();

function parseValues(parameters: URLSearchParams, facet: Facet): string[] {
  const { values, areSizes } = facet;
  const requested = requestedOf(parameters, facet);
  if (values)
    return values.filter((value) => requested.some(isValue(value))).slice(0, takesOne(facet) ? 1 : undefined);
  const valid = requested
    .filter((value) => value !== "" && value.length <= maxValueLength)
    .map((value) => (areSizes ? sizeLabel(value) : value));
  return [...new Set(valid)].sort().slice(0, maxValuesPerFacet);
}
