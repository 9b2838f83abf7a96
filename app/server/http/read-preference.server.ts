import type { Cookie } from "@remix-run/cloudflare";
import type { Reads } from "#app/db/client.server.ts";
import { ownCookieNames } from "./cookies.server.ts";
import { isSafeMethod } from "./security.server.ts";

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

/** Whether a request may have changed what pages show: neither reads nor rejected requests (4xx) do. */
export function mayHaveWritten({ method }: Request, { status }: Response): boolean {
  const isRejected = status >= 400 && status < 500;
  return !isSafeMethod(method) && !isRejected;
}
