import { priceLabel } from "../listings/money.rules.ts";
import { facets } from "./search/facets.rules.ts";
import { type SearchQuery, withoutCursor } from "./search/search-query.rules.ts";
import { hasWords } from "./search/search-words.rules.ts";

interface AppliedFilter {
  label: string;
  without: SearchQuery;
}

/** The active filters, each with its label and the query that removes it. Corrected words are named in place of the typed. */
export function appliedFilters(query: SearchQuery, corrected: string | null = null): AppliedFilter[] {
  const all: AppliedFilter[] = [];
  const add = (label: string, change: Partial<SearchQuery>) =>
    all.push({ label, without: withoutCursor({ ...query, ...change }) });
  // Straight quotes: with a curly one V8 would store the whole page with two bytes a character.
  if (hasWords(query.words)) add(`"${corrected ?? query.words}"`, { words: "", exact: false });
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
