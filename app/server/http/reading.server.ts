import type { Cookie } from "@remix-run/cloudflare";
import type { DatabaseStats } from "#app/db/database-stats.ts";
import type { Reads } from "#app/db/driver.ts";
import { ownCookieNames } from "./cookies.server.ts";
import { isSafe } from "./security.server.ts";

/** Cookies of ours that do not require reading from the primary. */
const idleCookies = ["__Host-bookmark", "__Host-device", "__Host-flash"];

/**
 * Where a request may read. Whoever writes, is signed in, or is on the way through a login or a mail's link reads
 * where everything written is seen: their own writes, and what others did to their account. Anyone else reads
 * anywhere, from where on their own last write is seen.
 */
export async function readingOf(request: Request, bookmarks: Cookie): Promise<Reads> {
  const { method, headers } = request;
  if (method !== "GET" && method !== "HEAD") return "primary";
  const ours = ownCookieNames(request);
  if (headers.has("Authorization") || ours.some((name) => !idleCookies.includes(name))) return "primary";
  if (!ours.includes(bookmarks.name)) return "anywhere";
  const since: unknown = await bookmarks.parse(headers.get("Cookie"));
  return typeof since === "string" ? { since } : "anywhere";
}

/**
 * Adds the bookmark cookie to the response of a request that has written: its browser reads from there on, and past the
 * edge cache. Refused requests (4xx) have written nothing that a page shows, nor have reads that note their own use.
 */
export async function withBookmark(
  response: Response,
  { method }: Request,
  { hasWritten, bookmark }: Pick<DatabaseStats, "hasWritten" | "bookmark">,
  cookie: Cookie,
): Promise<Response> {
  const isRefused = response.status >= 400 && response.status < 500;
  if (hasWritten && !isSafe(method) && !isRefused) {
    response.headers.append("Set-Cookie", await cookie.serialize(bookmark()));
  }
  return response;
}
