import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { type Json, Miniflare, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { workerModules } from "../scripts/build.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { migrateDatabase } from "../scripts/migrations.ts";
import { freePort } from "./runtime.ts";

/** Settings under which a few buyers of a measurement may book all devices. */
export const unlimitedReservations = {
  MAX_RESERVATIONS: "999999",
  MAX_RESERVATIONS_UNCONFIRMED: "999999",
  MAX_RESERVATIONS_NEW_ACCOUNTS: "999999",
};

/** More requests per minute than any measurement makes. */
const unlimited = 1_000_000_000;

/**
 * Starts the product and the baseline Workers in one workerd with one database. Each has its own socket, since
 * Miniflare's entry Worker takes longer than what is measured.
 */
export async function startBenchServer({
  buildFolder,
  persist,
  products,
  baselines,
}: {
  buildFolder: string;
  persist: string;
  /** Instances of the product: settings by name. */
  products: Record<string, Record<string, string>>;
  /** Files in `bench/baselines`: bindings by name. */
  baselines: Record<string, Record<string, Json>>;
}) {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, undefined, {
    overrides: { assets: { directory: resolve(buildFolder, "client") } },
  });
  const names = [...Object.keys(products), ...Object.keys(baselines)];
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)));
  const socket = (name: string) => [{ host: "127.0.0.1", port: ports.get(name) ?? 0 }];
  const { compatibilityDate } = workerOptions;

  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    defaultPersistRoot: persist,
    handleRuntimeStdio: (...outputs: Readable[]) => outputs.map((output) => output.resume()),
    workers: [
      ...Object.entries(products).map(([name, bindings]) => ({
        ...workerOptions,
        name,
        assets: undefined,
        email: undefined,
        // A queue has one consumer, and sending emails is not measured.
        queueConsumers: undefined,
        modulesRoot: resolve(buildFolder, "server"),
        modules: workerModules(buildFolder),
        bindings: { ...config.vars, ...unlimitedReservations, ...bindings },
        ratelimits: withoutLimits(workerOptions.ratelimits),
        unsafeDirectSockets: socket(name),
      })),
      ...(await Promise.all(
        Object.entries(baselines).map(async ([name, bindings]) => ({
          name,
          compatibilityDate,
          modules: [{ type: "ESModule" as const, path: `${name}.js`, contents: await readBaseline(name) }],
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
    db: await migrateDatabase(openD1Proxy(await miniflare.unsafeGetDirectURL("d1-proxy"))),
    url: (name: string) => `http://127.0.0.1:${ports.get(name)}`,
    stop: () => miniflare.dispose(),
  };
}

const readBaseline = (name: string) => readFile(join(import.meta.dirname, "baselines", `${name}.js`), "utf8");

type RateLimits = NonNullable<Extract<WorkerOptions, { ratelimits?: unknown }>["ratelimits"]>;

function withoutLimits(rateLimits: RateLimits = {}): RateLimits {
  const entries = Object.entries(
    rateLimits as Record<string, { simple: { limit: number; period: 10 | 60 } }>,
  );
  return Object.fromEntries(
    entries.map(([name, { simple }]) => [name, { simple: { ...simple, limit: unlimited } }]),
  );
}
