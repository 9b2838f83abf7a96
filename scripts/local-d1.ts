import { randomBytes } from "node:crypto";
import { Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import { createDrizzle } from "#app/db/d1-adapter.ts";
import type { Result, Statement } from "#app/db/driver.ts";
import { namedRows } from "#app/db/driver.ts";

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
    const bound = (await request.json()).map(({ sql, params }) => DB.prepare(sql).bind(...params));
    try {
      if (bound.length === 1) {
        const [columns = [], ...rows] = await bound[0].raw({ columnNames: true });
        return Response.json({ columns, rows });
      }
      const results = await DB.batch(bound);
      return Response.json({ results: results.map(({ results: rows }) => ({ rows })) });
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

type ProxyResponse = { results: Result[] } | { columns: string[]; rows: unknown[][] } | { error: string };

/** Opens the D1 database behind a proxy Worker. */
export function openD1Proxy(proxy: URL): Db {
  async function execute(statements: Statement[]): Promise<Result[]> {
    const body = JSON.stringify(statements.map(({ sql, params }) => ({ sql, params })));
    // workerd closes idle connections, at times while the next request is sent.
    const headers = { Authorization: key, Connection: "close" };
    const response = await fetch(proxy, { method: "POST", body, headers });
    const result = (await response.json()) as ProxyResponse;
    if ("error" in result) throw new Error(result.error);
    return "results" in result ? result.results : [{ rows: namedRows(result.columns, result.rows) }];
  }
  return createDrizzle(execute);
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
