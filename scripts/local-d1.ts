import { randomBytes } from "node:crypto";
import type { Db } from "#app/db/client.server.ts";
import { createDrizzle } from "#app/db/d1-adapter.ts";
import type { Result, Statement } from "#app/db/driver.ts";
import { namedRows } from "#app/db/driver.ts";

/** The proxy answers only requests with this key. */
const key = randomBytes(32).toString("hex");

/**
 * A Worker beside the product, through which this process reaches its D1 with one request per batch. Miniflare's own
 * proxy blocks the process for each statement, and has been seen to lose answers.
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
      return Response.json({ answers: results.map(({ results: rows }) => ({ rows })) });
    } catch (fault) {
      return Response.json({ fault: fault.message });
    }
  },
};`;

/** The proxy Worker, bound to the same databases; it uses the one called `DB`. */
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

/** The proxy's response. */
type ProxyResponse = { answers: Result[] } | { columns: string[]; rows: unknown[][] } | { fault: string };

/** The D1 database behind a proxy Worker. */
export function openD1Proxy(proxy: URL): Db {
  async function execute(statements: Statement[]): Promise<Result[]> {
    const body = JSON.stringify(statements.map(({ sql, params }) => ({ sql, params })));
    const answer = await fetch(proxy, { method: "POST", body, headers: { Authorization: key } });
    const said = (await answer.json()) as ProxyResponse;
    if ("fault" in said) throw new Error(said.fault);
    return "answers" in said ? said.answers : [{ rows: namedRows(said.columns, said.rows) }];
  }
  return createDrizzle(execute);
}
