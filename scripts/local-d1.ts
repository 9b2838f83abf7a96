import { randomBytes } from "node:crypto";
import { drizzle } from "drizzle-orm/d1";
import { Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import { sendRequest } from "./send-request.ts";

/** Authorizes requests to the proxy. */
const key = randomBytes(32).toString("hex");

/**
 * A Worker that runs batches of statements on D1 for this process, one request each. Miniflare's own proxy blocks the
 * process for each statement and has lost results.
 */
const script = `
export default {
  async fetch(request, { DB, KEY }) {
    if (request.headers.get("Authorization") !== KEY) return new Response(null, { status: 404 });
    const { method, statements } = await request.json();
    const bound = statements.map(({ sql, params }) => DB.prepare(sql).bind(...params));
    try {
      return Response.json({ result: method === "batch" ? await DB.batch(bound) : await bound[0][method]() });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};`;

/** The proxy Worker's Miniflare options. It uses the database named `DB`. */
export function d1ProxyWorker<Databases>(d1Databases: Databases, name = "d1-proxy") {
  return {
    name,
    modules: true as const,
    script,
    compatibilityDate: "2026-04-20",
    d1Databases,
    bindings: { KEY: key },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

interface Statement {
  sql: string;
  params: unknown[];
}

/** Opens the D1 database behind a proxy Worker. */
export function openD1Proxy(proxy: URL): Db {
  async function send(method: "all" | "raw" | "run" | "batch", statements: Statement[]) {
    const body = JSON.stringify({ method, statements });
    const response = await sendRequest(proxy, "POST", "/", { body, headers: { Authorization: key } });
    const { result, error } = (await response.json()) as { result?: unknown; error?: string };
    if (error) throw new Error(error);
    return result;
  }
  const prepare = (sql: string, params: unknown[] = []) => ({
    sql,
    params,
    bind: (...bound: unknown[]) => prepare(sql, bound),
    all: () => send("all", [{ sql, params }]),
    raw: () => send("raw", [{ sql, params }]),
    run: () => send("run", [{ sql, params }]),
  });
  // What drizzle uses of a D1 database.
  const database = {
    prepare: (sql: string) => prepare(sql),
    batch: (all: Statement[]) => send("batch", all),
  };
  return drizzle(database as unknown as D1Database);
}

/** Miniflare's option for the databases of `wrangler.toml`. */
export function configuredD1() {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  // Without the assets, which exist only after a build.
  return unstable_getMiniflareWorkerOptions({ ...config, assets: undefined }).workerOptions.d1Databases;
}

/** Runs `work` on the local D1 database in a folder of Miniflare's databases, without a server. */
export async function withLocalD1<Result>(
  folder: string,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const miniflare = new Miniflare({
    ...d1ProxyWorker(configuredD1()),
    host: "127.0.0.1",
    defaultPersistRoot: folder,
    cf: false,
  });
  try {
    return await work(openD1Proxy(await miniflare.unsafeGetDirectURL("d1-proxy")));
  } finally {
    await miniflare.dispose();
  }
}
