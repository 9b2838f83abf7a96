import { brand } from "#app/brand.ts";
import { idKey, numberKey, parseCursor } from "#app/db/cursor.ts";
import { isFiltered, parseSearchQuery } from "#app/features/catalog/search-query.rules.ts";
import { categories } from "#app/features/listings/category.rules.ts";

/** The canonical URL of a page, with data for link previews. */
export interface Canonical {
  /** Path, and the query parameters that make it another page. */
  address: string;
  kind: "website" | "product" | "profile";
  /** Without its loader's data the page shows an error, which has no canonical URL. */
  needsData: boolean;
  feed?: { address: string; title: string };
}

const staticPages = ["/", "/about", "/api", "/blogs", "/signup", "/sellersignup"];

/** Returns a page's canonical URL for search engines, or null for pages that should not be indexed. */
export function canonicalAddress(pathname: string, search: URLSearchParams): Canonical | null {
  const path = pathname.replace(/(?<=.)\/+$/, "");
  const lower = path.toLowerCase();
  if (staticPages.includes(lower)) return { address: lower, kind: "website", needsData: false };
  const [, section = "", key, ...rest] = path.split("/");
  if (rest.length > 0) return null;
  const category = categories.find(({ path }) => path === `/${section.toLowerCase()}`);
  if (category && !key) {
    const feed = { address: `${category.path}.rss`, title: `Newest at ${brand.name}: ${category.name}` };
    return { address: category.path + categorySearch(search), kind: "website", needsData: true, feed };
  }
  if (key && (category || section.toLowerCase() === "phones"))
    return { address: `/phones/${key}`, kind: "product", needsData: true };
  if (key && section.toLowerCase() === "sellers") {
    return {
      address: `/sellers/${key}${forwardCursor(parseCursor(search, idKey))}`,
      kind: "profile",
      needsData: true,
    };
  }
  if (key && section.toLowerCase() === "models") {
    return {
      address: `/models/${key}${forwardCursor(parseCursor(search, numberKey))}`,
      kind: "website",
      needsData: true,
    };
  }
  return null;
}

/** Pages of an unfiltered list are indexed one by one; filtered lists are not. */
function categorySearch(search: URLSearchParams): string {
  const query = parseSearchQuery(search);
  return isFiltered(query) || query.order !== "newest" ? "" : forwardCursor(query.cursor);
}

/** Only the forward cursor is canonical, since a page can also be reached backwards. */
function forwardCursor(cursor: { after: string } | { before: string } | null): string {
  return cursor && "after" in cursor ? `?${new URLSearchParams(cursor)}` : "";
}
