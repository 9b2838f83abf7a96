import { LRUCache } from "lru-cache";
import { dayMs } from "#app/time.ts";
import { sha256Hex } from "../config/crypto.server.ts";
import { etagMatches, isPrefetch } from "../http/request.server.ts";
import type { CacheAudience } from "./cacheable-request.server.ts";

/** "updating": stale, and rendered again in the background. "stale": stale, because rendering failed. */
export type CacheStatus = "hit" | "updating" | "stale" | "miss" | "bypass";

interface CachedResponse {
  /** The body, split where the nonce goes. */
  parts: string[];
  contentType: string;
  etag: string;
  /** Milliseconds. */
  renderedAt: number;
}

/** How long a response may be shown while rendering fails, in milliseconds. */
const maxAgeInOutage = dayMs;

/** Of each isolate, which has 128 MB in all. */
export const maxCacheBytes = 16 * 1024 * 1024;

/** A string with any character beyond Latin-1 takes two bytes for each. */
const bytesPerCharacter = 2;

interface CacheLookup {
  request: Request;
  key: string;
  audience: CacheAudience;
  nonce: string;
  freshSeconds: number;
  render(): Promise<Response>;
  waitUntil(work: Promise<unknown>): void;
  onError(error: unknown): void;
}

/**
 * Caches rendered pages in `caches.default`, behind an LRU cache in the isolate. A page is fresh for `freshSeconds`,
 * then for as long again stale-while-revalidate. It is kept for a day in case rendering fails.
 */
export function edgeCache() {
  const memory = new LRUCache<string, CachedResponse>({
    maxSize: maxCacheBytes,
    ttl: maxAgeInOutage,
    sizeCalculation: ({ parts }, key) =>
      bytesPerCharacter * parts.reduce((length, part) => length + part.length, key.length),
  });
  const revalidating = new Set<string>();

  async function find({ key, freshSeconds }: CacheLookup): Promise<CachedResponse | undefined> {
    const inMemory = memory.get(key);
    if (inMemory && ageOf(inMemory) < freshSeconds) return inMemory;
    const stored = await caches.default.match(key);
    if (!stored) return inMemory;
    const cached = (await stored.json()) as CachedResponse;
    if (inMemory && inMemory.renderedAt >= cached.renderedAt) return inMemory;
    memory.set(key, cached);
    return cached;
  }

  function store(key: string, cached: CachedResponse): Promise<void> {
    memory.set(key, cached);
    const headers = { "Cache-Control": `public, max-age=${maxAgeInOutage / 1000}` };
    return caches.default.put(key, new Response(JSON.stringify(cached), { headers }));
  }

  async function drop(key: string): Promise<void> {
    memory.delete(key);
    await caches.default.delete(key);
  }

  async function revalidate({ key, nonce, render }: CacheLookup): Promise<void> {
    if (revalidating.has(key)) return;
    revalidating.add(key);
    try {
      const response = await render();
      if (isCacheable(response)) return await store(key, await read(response, nonce));
      await response.body?.cancel();
      if (response.status < 500) await drop(key);
    } finally {
      revalidating.delete(key);
    }
  }

  return {
    /** @throws the error of `render` if there is no stored response to show */
    async respond(lookup: CacheLookup): Promise<{ response: Response; status: CacheStatus }> {
      const { key, nonce, freshSeconds, render, waitUntil, onError } = lookup;
      const found = await find(lookup);
      const age = found ? ageOf(found) : Number.POSITIVE_INFINITY;
      if (found && age < freshSeconds) return { response: responseFrom(found, lookup), status: "hit" };
      if (found && age < 2 * freshSeconds) {
        waitUntil(revalidate(lookup).catch(onError));
        return { response: responseFrom(found, lookup), status: "updating" };
      }
      try {
        const rendered = await render();
        if (isCacheable(rendered)) {
          const cached = await read(rendered, nonce);
          waitUntil(store(key, cached).catch(onError));
          return { response: responseFrom(cached, lookup), status: "miss" };
        }
        if (found && rendered.status < 500) waitUntil(drop(key).catch(onError));
        if (!found || rendered.status < 500) return { response: forMethod(lookup, rendered), status: "miss" };
        await rendered.body?.cancel();
      } catch (error) {
        if (!found) throw error;
        onError(error);
      }
      return { response: responseFrom(found, lookup), status: "stale" };
    },
  };
}

/** HEAD requests are rendered as GET, so that both share the cache. */
function forMethod({ request }: CacheLookup, rendered: Response): Response {
  return request.method === "HEAD" ? new Response(null, rendered) : rendered;
}

function isCacheable({ status, headers }: Response): boolean {
  const isPrivate = /\b(private|no-store)\b/.test(headers.get("Cache-Control") ?? "");
  return status === 200 && !isPrivate && !headers.has("Set-Cookie");
}

async function read(response: Response, nonce: string): Promise<CachedResponse> {
  const parts = (await response.text()).split(nonce);
  return {
    parts,
    contentType: response.headers.get("Content-Type") ?? "",
    etag: `W/"${(await sha256Hex(parts.join(""))).slice(0, 32)}"`,
    renderedAt: Date.now(),
  };
}

/** Responds with 304 if the browser has the page, else with this request's nonce in the body. */
function responseFrom(
  { parts, contentType, etag }: CachedResponse,
  { request, audience, nonce }: CacheLookup,
): Response {
  const headers = {
    "Content-Type": contentType,
    ETag: etag,
    "Cache-Control": cacheControlFor(request, audience),
    Vary: "Cookie",
  };
  if (etagMatches(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : parts.join(nonce), { headers });
}

/** A browser may show a page that it has prefetched for some seconds. */
function cacheControlFor(request: Request, audience: CacheAudience): string {
  if (audience === "signed-in") return "private, no-cache";
  return `public, max-age=${isPrefetch(request) ? 10 : 0}, must-revalidate`;
}

function ageOf({ renderedAt }: CachedResponse): number {
  return (Date.now() - renderedAt) / 1000;
}
