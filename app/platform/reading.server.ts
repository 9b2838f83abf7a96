import type { Reads } from "#app/db/driver.ts";
import type { CookieJar } from "./cookies.server.ts";
import type { RequestContext } from "./request-context.server.ts";

/** Ours, of browsers that have nothing under way with us that a replica could be behind of. */
const idleCookies = ["__Host-bookmark", "__Host-device", "__Host-flash"];

/**
 * Where a request may read. Whoever writes, is signed in, or is on the way through a login or a mail's link reads
 * where everything written is seen: their own writes, and what others did to their account. Anyone else reads
 * anywhere, from where on their own last write is seen.
 */
export async function readingOf({ method, headers }: Request, cookies: CookieJar): Promise<Reads> {
  if (method !== "GET" && method !== "HEAD") return "primary";
  const cookie = headers.get("Cookie") ?? "";
  const ours = [...cookie.matchAll(/(?:^|;\s*)(__Host-[\w-]+)=/g)].map(([, name = ""]) => name);
  if (headers.has("Authorization") || ours.some((name) => !idleCookies.includes(name))) return "primary";
  if (!ours.includes("__Host-bookmark")) return "anywhere";
  const since: unknown = await cookies.bookmark.parse(cookie);
  return typeof since === "string" ? { since } : "anywhere";
}

/** The answer, with a bookmark for the browser when its request wrote; programs with a token need none. */
export async function withBookmark(
  { bookmark, cookies }: Pick<RequestContext, "bookmark" | "cookies">,
  request: Request,
  answer: Response,
): Promise<Response> {
  const since = bookmark();
  if (since === null || request.headers.has("Authorization")) return answer;
  const headers = new Headers(answer.headers);
  headers.append("Set-Cookie", await cookies.bookmark.serialize(since));
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
