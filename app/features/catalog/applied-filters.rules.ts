import { priceLabel } from "../listings/money.rules.ts";
import { facets } from "./facets.rules.ts";
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
  // Straight quotes: a curly one would have the text of the whole page held in two bytes a letter.
  if (hasWords(query.words)) add(`"${query.words}"`, { words: "", exact: false });
  for (const { name, chip } of facets) {
    const chosen = query.filters[name];
    for (const value of chosen) {
      const others = chosen.filter((other) => other !== value);
      add(chip(value), { filters: { ...query.filters, [name]: others } });
    }
  }
  if (query.fromCents !== null) add(`From ${priceLabel(query.fromCents)}`, { fromCents: null });
  if (query.toCents !== null) add(`Up to ${priceLabel(query.toCents)}`, { toCents: null });
  return all;
}
