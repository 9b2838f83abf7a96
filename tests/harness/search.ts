import type { Db } from "#app/db/client.server.ts";
import { type Filters, noFilters } from "#app/features/catalog/facets.rules.ts";
import { searchListings, searchWithCorrection } from "#app/features/catalog/search.server.ts";
import { parseSearchQuery, type SearchQuery } from "#app/features/catalog/search-query.rules.ts";
import { type Category, categoryByPath } from "#app/features/listings/category.rules.ts";

/** What is asked of a list; what is left out is not asked. */
export type Asked = Partial<Omit<SearchQuery, "filters">> & { filters?: Partial<Filters> };

/** Looks at a list, asking nothing of it but what is said. */
export function browse(db: Db, path: Category["path"] = "/products", asked: Asked = {}) {
  return searchListings(db, categoryByPath(path), queryOf(asked));
}

/** The same as the page of the list does it: with misspelt words corrected. */
export function browseCorrected(db: Db, path: Category["path"], asked: Asked) {
  return searchWithCorrection(db, categoryByPath(path), queryOf(asked));
}

function queryOf({ filters, ...query }: Asked): SearchQuery {
  return {
    ...parseSearchQuery(new URLSearchParams()),
    ...query,
    filters: { ...noFilters, ...filters },
  };
}
