import { keyMark } from "#app/features/phones/keyset-page.rules.ts";
import { shelves } from "#app/features/phones/shelf.rules.ts";
import { isFiltered, shelfQuery } from "#app/features/phones/shelf-query.rules.ts";

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
 * The address that search engines shall know a page by: of a shelf without what a visitor chose on it, and of a dialog
 * over a shelf that of the listing's own page.
 *
 * @returns null for a page that is nobody's to find: one's own, a form, a step of a way
 */
export function canonicalAddress(pathname: string, search: URLSearchParams): Canonical | null {
  const path = pathname.replace(/(?<=.)\/+$/, "");
  const lower = path.toLowerCase();
  if (fixed.includes(lower)) return { address: lower, kind: "website", needsData: false };
  const [, room = "", key, ...rest] = path.split("/");
  if (rest.length > 0) return null;
  const shelf = shelves.find(({ path }) => path === `/${room.toLowerCase()}`);
  if (shelf && !key) {
    const feed = { address: `${shelf.path}.rss`, title: `Newest at Ringback: ${shelf.name}` };
    return { address: shelf.path + pageOfShelf(search), kind: "website", needsData: true, feed };
  }
  if (key && (shelf || room.toLowerCase() === "phones"))
    return { address: `/phones/${key}`, kind: "product", needsData: true };
  if (key && room.toLowerCase() === "sellers") {
    return { address: `/sellers/${key}${further(keyMark(search))}`, kind: "profile", needsData: true };
  }
  return null;
}

/** Further pages of a whole shelf are pages of their own; of what a visitor chose on it they are none. */
function pageOfShelf(search: URLSearchParams): string {
  const query = shelfQuery(search);
  return isFiltered(query) || query.order !== "newest" ? "" : further(query.mark);
}

/** How one came to a page is not part of what it is. */
function further(mark: { after: string } | { before: string } | null): string {
  return mark && "after" in mark ? `?${new URLSearchParams(mark)}` : "";
}
