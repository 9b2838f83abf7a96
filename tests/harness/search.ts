import type { Db } from "#app/db/client.server.ts";
import { type Category, categoryByPath } from "#app/features/catalog/category.rules.ts";
import { type Filters, filtersOf } from "#app/features/catalog/search/facets.rules.ts";
import { searchListings, searchWithCorrection } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery, type SearchQuery } from "#app/features/catalog/search/search-query.rules.ts";

const noFilters = filtersOf(() => []);

/** A partial search query; the rest has its default. */
export type SearchOptions = Partial<Omit<SearchQuery, "filters">> & { filters?: Partial<Filters> };

export function browse(db: Db, path: Category["path"] = "/products", options: SearchOptions = {}) {
  return searchListings(db, categoryByPath(path), queryOf(options));
}

/** Searches a list as its page does: with spelling correction. */
export function searchCorrected(db: Db, path: Category["path"], options: SearchOptions) {
  return searchWithCorrection(db, categoryByPath(path), queryOf(options));
}

function queryOf({ filters, ...query }: SearchOptions): SearchQuery {
  return {
    ...parseSearchQuery(new URLSearchParams()),
    ...query,
    filters: { ...noFilters, ...filters },
  };
}
