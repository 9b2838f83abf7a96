import { resolve } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import { openD1, openLibsql } from "./database.ts";

/** A market being served on this machine: the deployed bundle in workerd. */
export interface Market {
  url: string;
  /** The market's own database, brought up to date. */
  db: Db;
  stop(): Promise<void>;
}

export type Surroundings = Pick<
  Extract<MiniflareOptions, { script?: unknown }>,
  "outboundService" | "structuredWorkerdLogs" | "handleStructuredLogs"
>;

/**
 * Serves a finished build as `wrangler.toml` says.
 *
 * @param buildFolder where `remix vite:build` has put the bundle
 * @param persist the folder for databases; without it they live in memory
 * @param port 0 takes any free one
 * @param surroundings what tests put around the Worker: another network, an ear for its log
 */
export async function openMarket({
  buildFolder,
  persist,
  port = 0,
  bindings,
  surroundings,
}: {
  buildFolder: string;
  persist?: string;
  port?: number;
  bindings: Record<string, string>;
  surroundings?: Surroundings;
}): Promise<Market> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml", undefined, {
    overrides: { assets: { directory: resolve(buildFolder, "client") } },
  });
  const miniflare = new Miniflare({
    ...workerOptions,
    modulesRoot: resolve(buildFolder, "server"),
    modules: [{ type: "ESModule", path: resolve(buildFolder, "server/index.js") }],
    bindings: { ...workerOptions.bindings, ...bindings },
    host: "127.0.0.1",
    port,
    defaultPersistRoot: persist,
    cf: false,
    ...surroundings,
  });
  try {
    const url = await miniflare.ready;
    const db = bindings.LIBSQL_URL
      ? await openLibsql(bindings.LIBSQL_URL, bindings.LIBSQL_AUTH_TOKEN)
      : await openD1((await miniflare.getD1Database("DB")) as unknown as D1Database);
    return { url: url.origin, db, stop: () => miniflare.dispose() };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}
