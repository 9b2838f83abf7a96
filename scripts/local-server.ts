import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { Miniflare, type MiniflareOptions, Response, type WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import type { PhotoStorage } from "#app/features/photos/photo-objects.server.ts";
import type { EmailQueueMessage } from "#app/server/mail/due-email.ts";
import { workerModules } from "./build.ts";
import { openLibsql } from "./database.ts";
import { d1ProxyWorker, openD1Proxy } from "./local-d1.ts";
import { migrateDatabase } from "./migrations.ts";
import { type Outbox, type OutgoingMail, openOutbox, outboxWorker } from "./outbox.ts";

/** A marketplace served on this machine: the deployed bundle in workerd. */
export interface LocalServer {
  url: string;
  /** The server's database, migrated. */
  db: Db;
  /** The bucket of a binding, by default that of photos. */
  bucket(binding?: "PHOTOS" | "BACKUPS"): Promise<R2Bucket>;
  /** What encodes and stores photos. */
  photoStorage(): Promise<PhotoStorage>;
  /** Runs the scheduled jobs, as the cron trigger does on Cloudflare. @throws Error if the run fails */
  tick(): Promise<void>;
  /** Delivers a message of the email queue, as Cloudflare does. @returns whether it comes back */
  deliver(message: EmailQueueMessage): Promise<boolean>;
  stop(): Promise<void>;
}

export type Network = Extract<MiniflareOptions, { script?: unknown }>["outboundService"];

/**
 * Serves a build with the configuration of `wrangler.toml`.
 *
 * @param buildFolder the output folder of `remix vite:build`
 * @param persist the folder of databases; by default they live in memory
 * @param port 0 for any free port
 * @param maxPerMinute replaces the limit of each rate limit, for benchmarks
 * @param maxRequests how many requests of an address each rate limit lets through, whatever the clock says, for tests
 * @param network handles the Worker's outgoing requests, for tests
 * @param onLog receives the Worker's log, which by default goes to this process's output
 * @param outbox the folder that emails are written to; by default there is no `MAIL` binding
 * @param onMail is told of each email in the outbox, and its file
 * @param refusesMail whether the mail service refuses an email, for tests
 * @param emailQueue "none", so that the Worker sends emails itself, or "unreachable", for tests
 * @param wrapper the source of a Worker that stands in front of the build's, which it imports as `./index.js`, for tests
 */
export async function startLocalServer({
  buildFolder,
  persist,
  port = 0,
  outbox,
  onMail,
  refusesMail,
  emailQueue,
  onLog,
  bindings,
  maxPerMinute,
  maxRequests,
  network,
  wrapper,
}: {
  buildFolder: string;
  persist?: string;
  port?: number;
  outbox?: string;
  onMail?: (mail: OutgoingMail, file: string) => void;
  refusesMail?: () => boolean;
  emailQueue?: "none" | "unreachable";
  onLog?: (text: string) => void;
  bindings: Record<string, string>;
  maxPerMinute?: number;
  maxRequests?: number;
  network?: Network;
  wrapper?: string;
}): Promise<LocalServer> {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, undefined, {
    overrides: { assets: { directory: resolve(buildFolder, "client") } },
  });
  const modules = workerModules(buildFolder);
  if (wrapper) {
    modules.unshift({ type: "ESModule", path: resolve(buildFolder, "server/wrapper.js"), contents: wrapper });
  }
  const mailbox = outbox === undefined ? undefined : openOutbox(outbox, onMail);
  const services = {
    ...(mailbox && { MAIL: { name: "outbox", entrypoint: "Outbox" } }),
    ...(emailQueue === "unreachable" && { EMAIL_QUEUE: { name: "outbox", entrypoint: "UnreachableQueue" } }),
    ...(maxRequests && limiters(Object.keys(workerOptions.ratelimits ?? {}), maxRequests)),
  };
  const worker = {
    ...workerOptions,
    queueConsumers: withoutWait(workerOptions.queueConsumers),
    ...(emailQueue && { queueProducers: {}, queueConsumers: {} }),
    modulesRoot: resolve(buildFolder, "server"),
    modules,
    // Not `workerOptions.bindings`, which include .dev.vars: that file is for `wrangler dev`.
    bindings: { ...config.vars, ...bindings },
    email: undefined,
    outboundService: network,
    ...(maxPerMinute && { ratelimits: withLimit(workerOptions.ratelimits, maxPerMinute) }),
    ...(maxRequests && { ratelimits: {} }),
    serviceBindings: services,
  };
  const miniflare = new Miniflare({
    workers: [
      worker,
      d1ProxyWorker(workerOptions.d1Databases),
      ...(mailbox ? [outboxWorkerOptions(mailbox, refusesMail)] : []),
      ...(maxRequests ? [limiterWorkerOptions] : []),
    ],
    host: "127.0.0.1",
    port,
    defaultPersistRoot: persist,
    cf: false,
    ...(onLog && { handleRuntimeStdio: (...outputs: Readable[]) => readLog(outputs, onLog) }),
  });
  try {
    const url = await miniflare.ready;
    const db = bindings.LIBSQL_URL
      ? await openLibsql(bindings.LIBSQL_URL, bindings.LIBSQL_AUTH_TOKEN)
      : await migrateDatabase(openD1Proxy(await miniflare.unsafeGetDirectURL("d1-proxy")));
    // Only when it is asked for: Miniflare's own proxy has failed at times.
    // Cast, because Miniflare declares the bucket with Node's streams.
    const bucket = async (name = "PHOTOS") => (await miniflare.getR2Bucket(name)) as unknown as R2Bucket;
    async function photoStorage() {
      const { IMAGES } = await miniflare.getBindings<{ IMAGES: ImagesBinding }>();
      return { images: IMAGES, bucket: await bucket() };
    }
    async function tick() {
      const worker = await miniflare.getWorker();
      const { outcome } = await worker.scheduled({});
      if (outcome !== "ok") throw new Error(`The scheduled jobs failed (${outcome}).`);
    }
    async function deliver(body: EmailQueueMessage) {
      const worker = await miniflare.getWorker();
      const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body };
      const { retryBatch } = await worker.queue("ringback-emails", [message]);
      return retryBatch.retry;
    }
    const stop = () => miniflare.dispose().then(() => mailbox?.settled());
    return { url: url.origin, db, bucket, photoStorage, tick, deliver, stop };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** Delivers messages at once, instead of waiting for a batch of them. */
function withoutWait(consumers: WorkerOptions["queueConsumers"] = {}) {
  const entries = Object.entries(consumers as Record<string, object>);
  return Object.fromEntries(entries.map(([queue, options]) => [queue, { ...options, maxBatchTimeout: 0 }]));
}

/** The Worker bound as `MAIL`. */
function outboxWorkerOptions(outbox: Outbox, refusesMail = () => false) {
  return {
    name: "outbox",
    modules: true,
    script: outboxWorker,
    compatibilityDate: "2026-04-20",
    serviceBindings: {
      async FOLDER(request: { json(): Promise<unknown> }) {
        if (refusesMail()) return new Response(null, { status: 500 });
        await outbox.send((await request.json()) as OutgoingMail);
        return new Response();
      },
    },
  };
}

/** A Worker that counts without end, since a minute of the clock may end in the middle of a test. */
const limiterWorkerOptions = {
  name: "limiter",
  modules: true,
  script: `
    import { WorkerEntrypoint } from "cloudflare:workers";

    const counts = new Map();

    export class Limiter extends WorkerEntrypoint {
      limit({ key }) {
        const { name, limit } = this.ctx.props;
        const count = (counts.get(name + key) ?? 0) + 1;
        counts.set(name + key, count);
        return { success: count <= limit };
      }
    }

    export default {};
  `,
  compatibilityDate: "2026-04-20",
};

const limiters = (names: string[], limit: number) =>
  Object.fromEntries(
    names.map((name) => [name, { name: "limiter", entrypoint: "Limiter", props: { name, limit } }]),
  );

function readLog(outputs: Readable[], onLog: (text: string) => void) {
  for (const output of outputs) output.setEncoding("utf8").on("data", onLog);
}

type RateLimits = NonNullable<Extract<WorkerOptions, { ratelimits?: unknown }>["ratelimits"]>;

function withLimit(rateLimits: RateLimits = {}, limit: number): RateLimits {
  const entries = Object.entries(
    rateLimits as Record<string, { simple: { limit: number; period: 10 | 60 } }>,
  );
  return Object.fromEntries(entries.map(([name, { simple }]) => [name, { simple: { ...simple, limit } }]));
}
