import { type Db, openDatabase } from "#app/db/client.server.ts";
import { findViewer } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { searchListings } from "#app/features/catalog/search.server.ts";
import { searchQuery } from "#app/features/catalog/search-query.rules.ts";
import { categoryAt } from "#app/features/listings/category.rules.ts";
import { bookPhone } from "#app/features/orders/bookings.server.ts";

type Statement = { sql: string; params: (string | number | null)[] };

/** Records the statements that `work` sends to D1. Reads return no rows, inserts one. */
async function statementsOf(work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const session = {
    prepare: (sql: string) => ({ bind: (...params: Statement["params"]) => ({ sql, params }) }),
    batch: async (statements: Statement[]) => {
      sent.push(...statements);
      return statements.map(({ sql }) => ({ results: /^insert/i.test(sql) ? [{ id: "" }] : [], meta: {} }));
    },
    getBookmark: () => null,
  };
  const recorder = { withSession: () => session } as unknown as D1Database;
  await work(openDatabase({ DB: recorder }).db);
  return sent;
}

export function listStatements(): Promise<Statement[]> {
  return statementsOf((db) =>
    searchListings(db, categoryAt("/products"), searchQuery(new URLSearchParams())),
  );
}

/** The statements of a booking with its session lookup. Placeholders stand for the values that differ. */
export async function bookingStatements(sessionId: string, buyer: Viewer) {
  const request = { address: ":address", phone: ":phone" };
  const statements = await statementsOf(async (db) => {
    await findViewer(db, sessionId);
    await bookPhone(db, buyer, ":phoneId", request);
  });
  const step = statements.at(-1)?.params;
  const placeholders = new Map([
    [step?.at(-1), ":id"],
    [step?.at(0), ":stepId"],
  ]);
  return statements.map(({ sql, params }) => ({
    sql,
    params: params.map((param) => placeholders.get(param) ?? param),
  }));
}
