import { appliedFilters } from "../catalog/applied-filters.rules.ts";
import { type Category, categoryByKey } from "../catalog/category.rules.ts";
import {
  defaultSort,
  parseSearchQuery,
  type SearchQuery,
  searchString,
  withoutCursor,
} from "../catalog/search/search-query.rules.ts";

export const maxNameLength = 60;

/** Saved searches of one account. */
export const maxSavedSearches = 50;

export const nothingToSave = "Search for something or pick a filter first.";

export const searchLimitReached = `You’ve saved ${maxSavedSearches} searches, the most you can keep. Delete one to save another.`;

export const frequencyLabels = { "at once": "Right away", daily: "Once a day", never: "Never" } as const;

export const categoryParameter = "list";

/** What a saved search keeps of a query: the words and the filters. */
export function queryToSave(query: SearchQuery): SearchQuery {
  return {
    ...withoutCursor(query),
    read: "",
    exact: false,
    unread: undefined,
    sort: defaultSort(query.words),
  };
}

/** The page to save the search of a list. */
export function saveSearchPath(category: Pick<Category, "key">, query: SearchQuery): string {
  const parameters = new URLSearchParams(searchString(queryToSave(query)));
  parameters.set(categoryParameter, category.key);
  return `/manage/searches/new?${parameters}`;
}

/** Parses a stored search. Filters that no longer exist are ignored. */
export function parseSavedSearch({
  category: key,
  query: stored,
}: {
  category: Category["key"];
  query: string;
}) {
  const category = categoryByKey(key);
  const query = queryToSave(parseSearchQuery(new URLSearchParams(stored)));
  return { category, query, path: category.path + searchString(query) };
}

/** The words and filters of a search, as the chips above a list show them. */
export function searchLabels(category: Category, query: SearchQuery): string[] {
  const filters = appliedFilters(query).map(({ label }) => label);
  return category.key === "products" ? filters : [category.name, ...filters];
}

/** A name for a new saved search. */
export function suggestedName(category: Category, query: SearchQuery): string {
  const [words = "", ...others] = [query.words, ...searchLabels(category, { ...query, words: "" })].filter(
    Boolean,
  );
  return [words, ...others].join(", ").slice(0, maxNameLength).trim();
}
