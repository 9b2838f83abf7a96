import type { Cookie } from "@remix-run/cloudflare";
import type { DatabaseStats } from "#app/db/connection.ts";
import type { Reads } from "#app/db/driver.ts";
import { ownCookieNames } from "./cookies.server.ts";
import { isSafe } from "./security.server.ts";

const replicaSafeCookies = ["__Host-bookmark", "__Host-device", "__Host-flash"];

/**
 * Chooses where a request reads from. Writes, signed-in users and visitors who are logging in or following an
 * emailed link read from the primary. Others read from any replica that has their own last write.
 */
export async function readPreference(request: Request, bookmarks: Cookie): Promise<Reads> {
  const { method, headers } = request;
  if (method !== "GET" && method !== "HEAD") return "primary";
  const ours = ownCookieNames(request);
  if (headers.has("Authorization") || ours.some((name) => !replicaSafeCookies.includes(name)))
    return "primary";
  if (!ours.includes(bookmarks.name)) return "anywhere";
  const since: unknown = await bookmarks.parse(headers.get("Cookie"));
  return typeof since === "string" ? { since } : "anywhere";
}

/**
 * Adds the bookmark cookie after a write, so that the browser bypasses the edge cache and reads its own writes.
 * Rejected requests (4xx) and reads get none, since no page shows what they write.
 */
export async function withBookmark(
  response: Response,
  { method }: Request,
  { hasWritten, bookmark }: Pick<DatabaseStats, "hasWritten" | "bookmark">,
  cookie: Cookie,
): Promise<Response> {
  const isRejected = response.status >= 400 && response.status < 500;
  if (hasWritten && !isSafe(method) && !isRejected) {
    response.headers.append("Set-Cookie", await cookie.serialize(bookmark()));
  }
  return response;
}
