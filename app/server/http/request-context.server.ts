import type { AppLoadContext } from "@remix-run/cloudflare";
import { openDatabase } from "#app/db/client.server.ts";
import type { Reads } from "#app/db/driver.ts";
import type { ApiPath } from "../api/api-operations.server.ts";
import type { Audience } from "../cache/cached-pages.server.ts";
import type { Environment } from "../config/environment.server.ts";
import { logFault } from "../logging/log.server.ts";
import { cookieJar } from "./cookies.server.ts";

/** The context of all loaders and actions of one request. */
export function createRequestContext(
  environment: Environment,
  { apiPaths, audience, nonce, reference, reads, waitUntil }: RequestOptions,
) {
  const { db, stats, ping } = openDatabase(environment, reads);
  return {
    db,
    /** What the request has done in the database so far. */
    databaseStats: stats,
    /** Whether the primary database answers within a second. */
    async isDatabaseUp(): Promise<boolean> {
      try {
        await ping();
        return true;
      } catch (fault) {
        logFault(fault, reference);
        return false;
      }
    },
    environment,
    pictures: picturesOf(environment),
    apiPaths,
    audience,
    /** The deployment's secrets, newest first; see `derivedKey`. */
    secrets: environment.SESSION_SECRET,
    cookies: cookieJar(environment.SESSION_SECRET),
    nonce,
    reference,
    /** Runs work after the response. Errors are logged. */
    inBackground(work: () => Promise<unknown>): void {
      waitUntil(work().catch((fault) => logFault(fault, reference)));
    },
  };
}

/** Where uploaded pictures are kept and made; null in a deployment that has no such place. */
export function picturesOf({ PHOTOS: bucket, IMAGES: images }: Environment) {
  return bucket && images ? { bucket, images } : null;
}

interface RequestOptions {
  /** The paths of the REST API and their operations. */
  apiPaths: ApiPath[];
  /** The variant of a public page that is rendered for the edge cache; null for a page of the visitor's own. */
  audience: Audience | null;
  /** The nonce of the Content-Security-Policy. */
  nonce: string;
  /** Identifies this request in the log and on error pages. */
  reference: string;
  /** Where the database is read until the request writes. */
  reads: Reads;
  waitUntil(work: Promise<unknown>): void;
}

export type RequestContext = ReturnType<typeof createRequestContext>;

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

export type { AppLoadContext };
