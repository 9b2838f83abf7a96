import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { Miniflare, type MiniflareOptions, Response, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import { openLibsql, upToDate } from "./database.ts";
import { d1ProxyWorker, openD1Proxy } from "./local-d1.ts";
import { type Outbox, type OutgoingMail, openOutbox, outboxWorker } from "./outbox.ts";

/** A market being served on this machine: the deployed bundle in workerd. */
export interface Market {
  url: string;
  /** The market's own database, brought up to date. */
  db: Db;
  /** Where the market keeps photos. */
  bucket: R2Bucket;
  /** Does what is done every few minutes on Cloudflare, now. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** Where what a Worker fetches arrives. */
export type Network = Extract<MiniflareOptions, { script?: unknown }>["outboundService"];

/**
 * Serves a finished build as `wrangler.toml` says.
 *
 * @param buildFolder where `remix vite:build` has put the bundle
 * @param persist the folder for databases; without it they live in memory
 * @param port 0 takes any free one
 * @param mostAMinute in place of each figure that `wrangler.toml` gives rate limits, for tests
 * @param network another network than the world's, for tests
 * @param onLog is given what the Worker writes to its log, which else goes to this process's output
 * @param outbox the folder that mails are put into; without it the market has no `MAIL`
 */
export async function openMarket({
  buildFolder,
  persist,
  port = 0,
  outbox,
  onLog,
  bindings,
  mostAMinute,
  network,
}: {
  buildFolder: string;
  persist?: string;
  port?: number;
  outbox?: string;
  onLog?: (text: string) => void;
  bindings: Record<string, string>;
  mostAMinute?: number;
  network?: Network;
}): Promise<Market> {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, undefined, {
    overrides: { assets: { directory: resolve(buildFolder, "client") } },
  });
  const mails = outbox === undefined ? undefined : openOutbox(outbox);
  const worker = {
    ...workerOptions,
    modulesRoot: resolve(buildFolder, "server"),
    modules: [{ type: "ESModule" as const, path: resolve(buildFolder, "server/index.js") }],
    // Not `workerOptions.bindings`, which include .dev.vars: that file is for `wrangler dev`.
    bindings: { ...config.vars, ...bindings },
    email: undefined,
    outboundService: network,
    ...(mostAMinute && { ratelimits: limited(workerOptions.ratelimits, mostAMinute) }),
    ...(mails && { serviceBindings: { MAIL: { name: "outbox", entrypoint: "Outbox" } } }),
  };
  const miniflare = new Miniflare({
    workers: [worker, d1ProxyWorker(workerOptions.d1Databases), ...(mails ? [workerOf(mails)] : [])],
    host: "127.0.0.1",
    port,
    defaultPersistRoot: persist,
    cf: false,
    ...(onLog && { handleRuntimeStdio: (...outputs: Readable[]) => listen(outputs, onLog) }),
  });
  try {
    const url = await miniflare.ready;
    const db = bindings.LIBSQL_URL
      ? await openLibsql(bindings.LIBSQL_URL, bindings.LIBSQL_AUTH_TOKEN)
      : await upToDate(openD1Proxy(await miniflare.unsafeGetDirectURL("d1-proxy")));
    const bucket = (await miniflare.getR2Bucket("PHOTOS")) as unknown as R2Bucket;
    async function tick() {
      const worker = await miniflare.getWorker();
      await worker.scheduled({});
    }
    const stop = () => miniflare.dispose().then(() => mails?.settled());
    return { url: url.origin, db, bucket, tick, stop };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** The Worker behind a market's `MAIL`. */
function workerOf(mails: Outbox) {
  return {
    name: "outbox",
    modules: true,
    script: outboxWorker,
    compatibilityDate: "2026-04-20",
    serviceBindings: {
      async FOLDER(request: { json(): Promise<unknown> }) {
        await mails.post((await request.json()) as OutgoingMail);
        return new Response();
      },
    },
  };
}

function listen(outputs: Readable[], onLog: (text: string) => void) {
  for (const output of outputs) output.setEncoding("utf8").on("data", onLog);
}

type RateLimits = NonNullable<Extract<WorkerOptions, { ratelimits?: unknown }>["ratelimits"]>;

function limited(given: RateLimits = {}, limit: number): RateLimits {
  const entries = Object.entries(given as Record<string, { simple: { limit: number; period: 10 | 60 } }>);
  return Object.fromEntries(entries.map(([name, { simple }]) => [name, { simple: { ...simple, limit } }]));
}
