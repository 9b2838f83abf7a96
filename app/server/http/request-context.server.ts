import type { AppLoadContext, Cookie } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import { createDb, openDatabase, type Reads } from "#app/db/client.server.ts";
import type { ApiPath } from "../api/api-operations.server.ts";
import type { CacheAudience } from "../cache/cacheable-request.server.ts";
import type { Environment } from "../config/environment.server.ts";
import { logError } from "../logging/log.server.ts";
import { announcementCookie, cookieJar, ownCookieNames } from "./cookies.server.ts";
import type { PageRoutes } from "./page-routes.server.ts";
import { isSafeMethod } from "./security.server.ts";

const pingTimeoutMs = 1000;
const replicaSafeCookies = ["__Host-bookmark", "__Host-device", "__Host-flash", announcementCookie];

/** Creates the load context of one request. */
export async function createRequestContext(
  environment: Environment,
  { apiPaths, pages, audience, nonce, reference, reads, waitUntil }: RequestOptions,
) {
  const { db, bookmark } = await openDatabase(environment, reads);
  let background: Promise<unknown> = Promise.resolve();
  return {
    db,
    /** From which a later request sees the writes of this one. */
    bookmark,
    /** Whether the primary database answers within a second. */
    async isDatabaseUp(): Promise<boolean> {
      try {
        const timeout = AbortSignal.timeout(pingTimeoutMs);
        const late = new Promise((_, reject) =>
          timeout.addEventListener("abort", () => reject(timeout.reason)),
        );
        const fresh = await createDb(environment);
        await Promise.race([fresh.run(sql`select 1`), late]);
        return true;
      } catch (error) {
        logError(error, reference);
        return false;
      }
    },
    environment,
    photoStorage: photoStorageOf(environment),
    apiPaths,
    pages,
    audience,
    secrets: environment.SESSION_SECRET,
    cookies: cookieJar(environment.SESSION_SECRET),
    nonce,
    reference,
    /** Runs work after the response, one after another. Errors are logged. */
    inBackground(work: () => Promise<unknown>): void {
      background = background.then(work).catch((error) => logError(error, reference));
      waitUntil(background);
    },
  };
}

/** Storage and resizing of photos; null if the bindings are missing. */
export function photoStorageOf({ PHOTOS: bucket, IMAGES: images }: Environment) {
  return bucket && images ? { bucket, images } : null;
}

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

interface RequestOptions {
  apiPaths: ApiPath[];
  pages: PageRoutes;
  /** The version to render for the edge cache; null for a page of one user. */
  audience: CacheAudience | null;
  nonce: string;
  /** The request's id in the log and on error pages. */
  reference: string;
  reads: Reads;
  waitUntil(work: Promise<unknown>): void;
}

export type RequestContext = Awaited<ReturnType<typeof createRequestContext>>;

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

export type { AppLoadContext };
