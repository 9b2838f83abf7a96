import type { Cookie } from "@remix-run/cloudflare";
import type { Reads } from "#app/db/driver.ts";

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
 * The answer, with a bookmark for the browser when its request wrote. Programs with a token need none, nor does
 * who was refused: nothing of theirs was written then, at most that they tried.
 *
 * @param bookmark of what was written
 */
export async function withBookmark(
  answer: Response,
  request: Request,
  bookmark: string | undefined,
  bookmarks: Cookie,
): Promise<Response> {
  const isRefusal = answer.status >= 400 && answer.status < 500;
  if (bookmark === undefined || isRefusal || request.headers.has("Authorization")) return answer;
  answer.headers.append("Set-Cookie", await bookmarks.serialize(bookmark));
  return answer;
}
