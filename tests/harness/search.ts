import type { Db } from "#app/db/client.server.ts";
import { searchListings } from "#app/features/catalog/search.server.ts";
import { type SearchQuery, searchQuery } from "#app/features/catalog/search-query.rules.ts";
import { type Category, categoryAt } from "#app/features/phones/category.rules.ts";

/** Looks at a shelf, asking nothing of it but what is said. */
export function browse(db: Db, path: Category["path"] = "/products", query: Partial<SearchQuery> = {}) {
  return searchListings(db, categoryAt(path), { ...searchQuery(new URLSearchParams()), ...query });
}
