import { createDb, type Db } from "#app/db/client.server.ts";
import { findViewer } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { categoryByPath } from "#app/features/catalog/category.rules.ts";
import { searchListings } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { bookWithoutLimits } from "../tests/harness/bookings.ts";

type Statement = { sql: string; params: (string | number | null)[] };

/** Records the statements that `work` sends to D1. Reads return no rows, inserts one. */
async function statementsOf(work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  async function run(statements: Statement[]) {
    sent.push(...statements.map(({ sql, params }) => ({ sql, params })));
    return statements.map(({ sql }) => ({ results: /^insert/i.test(sql) ? [{ id: "" }] : [], meta: {} }));
  }
  const bind = (sql: string, params: Statement["params"]) => ({
    sql,
    params,
    async raw() {
      await run([{ sql, params }]);
      return [];
    },
  });
  const session = {
    prepare: (sql: string) => ({ bind: (...params: Statement["params"]) => bind(sql, params) }),
    batch: run,
  };
  const recorder = { withSession: () => session } as unknown as D1Database;
  await work(await createDb({ DB: recorder }));
  return sent;
}

export function listStatements(): Promise<Statement[]> {
  return statementsOf((db) =>
    searchListings(db, categoryByPath("/products"), parseSearchQuery(new URLSearchParams())),
  );
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/**
 * The statements of a booking with its session lookup. Placeholders stand for the values that differ: `:id0`, `:id1` …
 * for the ids that a booking makes, also within a text.
 */
export async function bookingStatements(sessionId: string, buyer: Viewer) {
  const request = { address: ":address", phone: ":phone" };
  const statements = await statementsOf(async (db) => {
    await findViewer(db, sessionId);
    await bookWithoutLimits(db, buyer, ":phoneId", request);
  });
  const made: string[] = [];
  const placeholder = (id: string) => {
    if (id === sessionId || id === buyer.id) return id;
    if (!made.includes(id)) made.push(id);
    return `:id${made.indexOf(id)}`;
  };
  return statements.map(({ sql, params }) => ({
    sql,
    params: params.map((param) => (typeof param === "string" ? param.replace(uuid, placeholder) : param)),
  }));
}
