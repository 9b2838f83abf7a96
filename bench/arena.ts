import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { type Json, Miniflare, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { upToDate } from "../scripts/database.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { freePort } from "./free-port.ts";

/** Far more requests a minute than a measurement makes. */
const unlimited = 1_000_000_000;

/**
 * The product and its peers in one workerd, over one database. Each has a socket of its own: miniflare's own
 * entry would take longer than what is measured.
 */
export async function openArena({
  buildFolder,
  persist,
  products,
  peers,
}: {
  buildFolder: string;
  persist: string;
  /** The product, by name, each with its own settings. */
  products: Record<string, Record<string, string>>;
  /** Files of `bench/peers`, by name, each with what it is given. */
  peers: Record<string, Record<string, Json>>;
}) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml", undefined, {
    overrides: { assets: { directory: resolve(buildFolder, "client") } },
  });
  const names = [...Object.keys(products), ...Object.keys(peers)];
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)));
  const socket = (name: string) => [{ host: "127.0.0.1", port: ports.get(name) ?? 0 }];
  const { compatibilityDate } = workerOptions;

  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    defaultPersistRoot: persist,
    // What the Workers write to the log is written all the same, and read by nobody.
    handleRuntimeStdio: (...outputs: Readable[]) => outputs.map((output) => output.resume()),
    workers: [
      ...Object.entries(products).map(([name, bindings]) => ({
        ...workerOptions,
        name,
        assets: undefined,
        email: undefined,
        modulesRoot: resolve(buildFolder, "server"),
        modules: [{ type: "ESModule" as const, path: resolve(buildFolder, "server/index.js") }],
        bindings: { ...workerOptions.bindings, ...bindings },
        ratelimits: withoutLimit(workerOptions.ratelimits),
        unsafeDirectSockets: socket(name),
      })),
      ...(await Promise.all(
        Object.entries(peers).map(async ([name, bindings]) => ({
          name,
          compatibilityDate,
          modules: [{ type: "ESModule" as const, path: `${name}.js`, contents: await peer(name) }],
          bindings,
          d1Databases: workerOptions.d1Databases,
          unsafeDirectSockets: socket(name),
        })),
      )),
      d1ProxyWorker(workerOptions.d1Databases),
    ],
  });
  await miniflare.ready;
  return {
    db: await upToDate(openD1Proxy(await miniflare.unsafeGetDirectURL("d1-proxy"))),
    url: (name: string) => `http://127.0.0.1:${ports.get(name)}`,
    stop: () => miniflare.dispose(),
  };
}

const peer = (name: string) => readFile(join(import.meta.dirname, "peers", `${name}.js`), "utf8");

type RateLimits = NonNullable<Extract<WorkerOptions, { ratelimits?: unknown }>["ratelimits"]>;

function withoutLimit(given: RateLimits = {}): RateLimits {
  const entries = Object.entries(given as Record<string, { simple: { limit: number; period: 10 | 60 } }>);
  return Object.fromEntries(
    entries.map(([name, { simple }]) => [name, { simple: { ...simple, limit: unlimited } }]),
  );
}
