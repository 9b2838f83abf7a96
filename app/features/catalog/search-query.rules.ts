import { type Condition, conditions } from "#app/db/values.ts";
import { type PageMark, pageMark } from "./page-mark.rules.ts";
import { hasWords } from "./search-words.rules.ts";

/** How a list may be ordered; the first is the usual one. */
export const searchOrders = ["newest", "price-up", "price-down", "saving"] as const;

export type SearchOrder = (typeof searchOrders)[number];

/** What a visitor asks of a category, as the address says it. */
export interface SearchQuery {
  /** As typed, trimmed and cut; empty for all. */
  words: string;
  /** Values as listings have them ("Apple", "128GB"): any of a kind will do; none of a kind means all. */
  brands: string[];
  storage: string[];
  ram: string[];
  conditions: Condition[];
  /** Asking price in cents, both ends included. */
  fromCents: number | null;
  toCents: number | null;
  verifiedOnly: boolean;
  availableOnly: boolean;
  order: SearchOrder;
  mark: PageMark;
  /** How many further pages stand below the first one, loaded by and by. */
  more: number;
}

/** What no listing's words are longer than, and no visitor types. */
const longestWords = 100;
/** Values of one kind that may be chosen at once. */
const mostChosen = 20;
const longestValue = 60;

/** Pages that may be loaded below the first; who wants still more goes on to the next page. */
export const mostMore = 9;

/** Reads a query from an address; nonsense in a parameter is as if it were not there. */
export function searchQuery(parameters: URLSearchParams): SearchQuery {
  const order = parameters.get("sort");
  const mark = pageMark(parameters);
  return {
    words: (parameters.get("q") ?? "").trim().replace(/\s+/g, " ").slice(0, longestWords),
    brands: chosen(parameters, "brand"),
    storage: chosen(parameters, "rom"),
    ram: chosen(parameters, "ram"),
    conditions: conditions.filter((known) => parameters.getAll("condition").includes(known)),
    fromCents: cents(parameters.get("from")),
    toCents: cents(parameters.get("to")),
    verifiedOnly: parameters.get("verified") === "yes",
    availableOnly: parameters.get("available") === "yes",
    order: searchOrders.find((known) => known === order) ?? "newest",
    mark,
    more: loadsMore(mark) ? further(parameters.get("more")) : 0,
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
  for (const brand of query.brands) parameters.append("brand", brand);
  for (const storage of query.storage) parameters.append("rom", storage);
  for (const ram of query.ram) parameters.append("ram", ram);
  for (const condition of query.conditions) parameters.append("condition", condition);
  if (query.fromCents !== null) parameters.set("from", String(query.fromCents / 100));
  if (query.toCents !== null) parameters.set("to", String(query.toCents / 100));
  if (query.verifiedOnly) parameters.set("verified", "yes");
  if (query.availableOnly) parameters.set("available", "yes");
  if (query.order !== "newest") parameters.set("sort", query.order);
  if (query.mark && "after" in query.mark) parameters.set("after", query.mark.after);
  if (query.mark && "before" in query.mark) parameters.set("before", query.mark.before);
  if (query.more > 0) parameters.set("more", String(query.more));
  const search = parameters.toString();
  return search && `?${search}`;
}

/** The beginning of what matches, whichever page of it was looked at. */
export function firstPage(query: SearchQuery): SearchQuery {
  return { ...query, mark: null, more: 0 };
}

/** Whether further pages can be loaded below a page: one that ends at a mark has another's beginning below it. */
export function loadsMore(mark: PageMark): boolean {
  return mark === null || "after" in mark;
}

/** Whether a query leaves anything out. */
export function isFiltered(query: SearchQuery): boolean {
  const { words, brands, storage, ram, conditions, fromCents, toCents, verifiedOnly, availableOnly } = query;
  const chosen = brands.length + storage.length + ram.length + conditions.length > 0;
  return hasWords(words) || chosen || fromCents !== null || toCents !== null || verifiedOnly || availableOnly;
}

/** Whether a query's lowest price is above its highest, so that nothing can match. */
export function isCrossed({ fromCents, toCents }: SearchQuery): boolean {
  return fromCents !== null && toCents !== null && fromCents > toCents;
}

function chosen(parameters: URLSearchParams, name: string): string[] {
  const values = parameters.getAll(name).filter((value) => value !== "" && value.length <= longestValue);
  return [...new Set(values)].sort().slice(0, mostChosen);
}

function further(pages: string | null): number {
  return /^\d{1,2}$/.test(pages ?? "") ? Math.min(Number(pages), mostMore) : 0;
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
