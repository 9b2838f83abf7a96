import type { AppLoadContext } from "@remix-run/cloudflare";
import { openDatabase } from "#app/db/client.server.ts";
import type { Reads } from "#app/db/driver.ts";
import type { ApiPath } from "../api/api-operations.server.ts";
import type { Audience } from "../cache/cacheable-request.server.ts";
import type { Environment } from "../config/environment.server.ts";
import { logError } from "../logging/log.server.ts";
import { cookieJar } from "./cookies.server.ts";

/** Creates the load context of one request. */
export function createRequestContext(
  environment: Environment,
  { apiPaths, audience, nonce, reference, reads, waitUntil }: RequestOptions,
) {
  const { db, stats, ping } = openDatabase(environment, reads);
  return {
    db,
    databaseStats: stats,
    /** Whether the primary database answers within a second. */
    async isDatabaseUp(): Promise<boolean> {
      try {
        await ping();
        return true;
      } catch (error) {
        logError(error, reference);
        return false;
      }
    },
    environment,
    photoStorage: photoStorageOf(environment),
    apiPaths,
    audience,
    secrets: environment.SESSION_SECRET,
    cookies: cookieJar(environment.SESSION_SECRET),
    nonce,
    reference,
    /** Runs work after the response. Errors are logged. */
    inBackground(work: () => Promise<unknown>): void {
      waitUntil(work().catch((error) => logError(error, reference)));
    },
  };
}

/** Storage and resizing of photos; null if the bindings are missing. */
export function photoStorageOf({ PHOTOS: bucket, IMAGES: images }: Environment) {
  return bucket && images ? { bucket, images } : null;
}

interface RequestOptions {
  apiPaths: ApiPath[];
  /** The version to render for the edge cache; null for a page of one user. */
  audience: Audience | null;
  nonce: string;
  /** The request's id in the log and on error pages. */
  reference: string;
  /** Where to read until the request writes. */
  reads: Reads;
  waitUntil(work: Promise<unknown>): void;
}

export type RequestContext = ReturnType<typeof createRequestContext>;

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

export type { AppLoadContext };
