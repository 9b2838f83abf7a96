import { brand } from "#app/brand.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { Category } from "#app/features/catalog/category.rules.ts";
import { isFiltered, type SearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import type { Canonical } from "#app/frame/route-handle.ts";

/** Pages of an unfiltered list are indexed one by one; filtered lists are not. */
export function canonicalList({ path, name }: Category, query: SearchQuery): Canonical {
  const isChosen = isFiltered(query) || query.sort !== "newest";
  return {
    address: path + (isChosen ? "" : forwardPage(query.cursor)),
    kind: "website",
    feed: { address: `${path}.rss`, title: `Newest at ${brand.name}: ${name}` },
  };
}

/** The query string of a page. Only the forward cursor is canonical, since a page can also be reached backwards. */
export function forwardPage(cursor: Cursor): string {
  return cursor && "after" in cursor ? `?${new URLSearchParams(cursor)}` : "";
}
