import type { Db } from "#app/db/client.server.ts";
import { type Filters, noFilters } from "#app/features/catalog/facets.rules.ts";
import { searchListings, searchWithCorrection } from "#app/features/catalog/search.server.ts";
import { type SearchQuery, searchQuery } from "#app/features/catalog/search-query.rules.ts";
import { type Category, categoryAt } from "#app/features/listings/category.rules.ts";

/** What is asked of a list; what is left out is not asked. */
export type Asked = Partial<Omit<SearchQuery, "filters">> & { filters?: Partial<Filters> };

/** Looks at a list, asking nothing of it but what is said. */
export function browse(db: Db, path: Category["path"] = "/products", asked: Asked = {}) {
  return searchListings(db, categoryAt(path), queryOf(asked));
}

/** The same as the page of the list does it: with misspelt words corrected. */
export function browseCorrected(db: Db, path: Category["path"], asked: Asked) {
  return searchWithCorrection(db, categoryAt(path), queryOf(asked));
}

function queryOf({ filters, ...query }: Asked): SearchQuery {
  return {
    ...searchQuery(new URLSearchParams()),
    ...query,
    filters: { ...noFilters, ...filters },
  };
}
