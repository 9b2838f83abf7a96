import { priceLabel } from "../phones/money.rules.ts";
import { firstPage, type SearchQuery } from "./search-query.rules.ts";
import { hasWords } from "./search-words.rules.ts";

/** Something that leaves phones of a category out. */
export interface AppliedFilter {
  label: string;
  /** What is left to ask when it is taken away, from the first page. */
  without: SearchQuery;
}

/** Everything that a query filters by, each with the query that has all but it. */
export function appliedFilters(query: SearchQuery): AppliedFilter[] {
  const all: AppliedFilter[] = [];
  const add = (label: string, change: Partial<SearchQuery>) =>
    all.push({ label, without: firstPage({ ...query, ...change }) });
  const addEach = (kind: "brands" | "storage" | "ram" | "conditions", suffix: string) => {
    for (const value of query[kind]) {
      add(value + suffix, { [kind]: query[kind].filter((other) => other !== value) });
    }
  };
  // Straight quotes: a curly one would have the text of the whole page held in two bytes a letter.
  if (hasWords(query.words)) add(`"${query.words}"`, { words: "" });
  addEach("brands", "");
  addEach("storage", " storage");
  addEach("ram", " RAM");
  addEach("conditions", " condition");
  if (query.fromCents !== null) add(`From ${priceLabel(query.fromCents)}`, { fromCents: null });
  if (query.toCents !== null) add(`Up to ${priceLabel(query.toCents)}`, { toCents: null });
  if (query.verifiedOnly) add("Verified sellers only", { verifiedOnly: false });
  if (query.availableOnly) add("Available only", { availableOnly: false });
  return all;
}

/** The whole category, in the order that was asked for. */
export function withoutFilters(query: SearchQuery): SearchQuery {
  return {
    ...firstPage(query),
    words: "",
    brands: [],
    storage: [],
    ram: [],
    conditions: [],
    fromCents: null,
    toCents: null,
    verifiedOnly: false,
    availableOnly: false,
  };
}
