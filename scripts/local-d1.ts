import { randomBytes } from "node:crypto";
import type { Db } from "#app/db/client.server.ts";
import { drizzleOver } from "#app/db/d1-adapter.ts";
import type { Result, Statement } from "#app/db/driver.ts";
import { namedRows } from "#app/db/named-rows.ts";

/** Keeps everybody else on this machine out. */
const key = randomBytes(32).toString("hex");

/**
 * A Worker beside a local market, through which this process reaches the market's D1 by one request for each
 * question. Miniflare's own way there stops the process for each statement, and has been seen to lose its answers.
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

/** The Worker beside the market, bound to the same databases, of which it asks the one called `DB`. */
export function d1Door<Databases>(d1Databases: Databases, name = "d1-door") {
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

/** What the Worker answers. */
type Said = { answers: Result[] } | { columns: string[]; rows: unknown[][] } | { fault: string };

/** A market's D1, as this process asks it. */
export function throughDoor(door: URL): Db {
  async function ask(statements: Statement[]): Promise<Result[]> {
    const body = JSON.stringify(statements.map(({ sql, params }) => ({ sql, params })));
    const answer = await fetch(door, { method: "POST", body, headers: { Authorization: key } });
    const said = (await answer.json()) as Said;
    if ("fault" in said) throw new Error(said.fault);
    // Of one statement no two columns are mistaken for each other.
    return "answers" in said ? said.answers : [{ rows: namedRows(said.columns, said.rows) }];
  }
  return drizzleOver(ask);
}
