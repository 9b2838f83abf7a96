import { brand } from "#app/brand.ts";
import { listingId, numberKey, parseCursor } from "#app/features/catalog/cursor.rules.ts";
import { isFiltered, parseSearchQuery } from "#app/features/catalog/search-query.rules.ts";
import { categories } from "#app/features/listings/category.rules.ts";

/** The one address that a page is known by, however it was asked for. */
export interface Canonical {
  /** Path, and what of the query makes it another page. */
  address: string;
  /** What Open Graph calls its subject. */
  kind: "website" | "product" | "profile";
  /** The page shows what its route loads: without that data it shows an error. */
  needsData: boolean;
  /** What tells of news on it. */
  feed?: { address: string; title: string };
}

/** Pages that are the same for everybody and have nothing in their query. */
const fixed = ["/", "/about", "/api", "/blogs", "/signup", "/sellersignup"];

/**
 * The address that search engines shall know a page by: of a category without what a visitor chose on it, and of a dialog
 * over a category that of the listing's own page.
 *
 * @returns null for a page that is nobody's to find: one's own, a form, a step of a way
 */
export function canonicalAddress(pathname: string, search: URLSearchParams): Canonical | null {
  const path = pathname.replace(/(?<=.)\/+$/, "");
  const lower = path.toLowerCase();
  if (fixed.includes(lower)) return { address: lower, kind: "website", needsData: false };
  const [, room = "", key, ...rest] = path.split("/");
  if (rest.length > 0) return null;
  const category = categories.find(({ path }) => path === `/${room.toLowerCase()}`);
  if (category && !key) {
    const feed = { address: `${category.path}.rss`, title: `Newest at ${brand.name}: ${category.name}` };
    return { address: category.path + pageOfCategory(search), kind: "website", needsData: true, feed };
  }
  if (key && (category || room.toLowerCase() === "phones"))
    return { address: `/phones/${key}`, kind: "product", needsData: true };
  if (key && room.toLowerCase() === "sellers") {
    return {
      address: `/sellers/${key}${further(parseCursor(search, listingId))}`,
      kind: "profile",
      needsData: true,
    };
  }
  if (key && room.toLowerCase() === "models") {
    return {
      address: `/models/${key}${further(parseCursor(search, numberKey))}`,
      kind: "website",
      needsData: true,
    };
  }
  return null;
}

/** Further pages of a whole category are pages of their own; of what a visitor chose on it they are none. */
function pageOfCategory(search: URLSearchParams): string {
  const query = parseSearchQuery(search);
  return isFiltered(query) || query.order !== "newest" ? "" : further(query.cursor);
}

/** How one came to a page is not part of what it is. */
function further(cursor: { after: string } | { before: string } | null): string {
  return cursor && "after" in cursor ? `?${new URLSearchParams(cursor)}` : "";
}
