import type { Cookie } from "@remix-run/cloudflare";
import type { Reads } from "#app/db/driver.ts";
import { isSafe } from "./security.server.ts";

/** Ours, of browsers that have nothing under way with us that a replica could be behind of. */
const idleCookies = ["__Host-bookmark", "__Host-device", "__Host-flash"];

/**
 * Where a request may read. Whoever writes, is signed in, or is on the way through a login or a mail's link reads
 * where everything written is seen: their own writes, and what others did to their account. Anyone else reads
 * anywhere, from where on their own last write is seen.
 */
export async function readingOf({ method, headers }: Request, bookmarks: Cookie): Promise<Reads> {
  if (method !== "GET" && method !== "HEAD") return "primary";
  const cookie = headers.get("Cookie") ?? "";
  const ours = [...cookie.matchAll(/(?:^|;\s*)(__Host-[\w-]+)=/g)].map(([, name = ""]) => name);
  if (headers.has("Authorization") || ours.some((name) => !idleCookies.includes(name))) return "primary";
  if (!ours.includes(bookmarks.name)) return "anywhere";
  const since: unknown = await bookmarks.parse(cookie);
  return typeof since === "string" ? { since } : "anywhere";
}

/**
 * Adds the bookmark cookie to the response of a request that may have written: its browser reads from there on, and
 * past the edge cache. Refused requests (4xx) have written nothing that a page shows.
 *
 * @param bookmark null if the database was not asked
 */
export async function withBookmark(
  response: Response,
  { method }: Request,
  bookmark: string | null,
  cookie: Cookie,
): Promise<Response> {
  const isRefused = response.status >= 400 && response.status < 500;
  if (!isSafe(method) && !isRefused && bookmark !== null) {
    response.headers.append("Set-Cookie", await cookie.serialize(bookmark));
  }
  return response;
}
