import { type Db, openDatabase } from "#app/db/client.server.ts";
import { claimantBy } from "#app/features/accounts/claimant.server.ts";
import { bookPhone } from "#app/features/bookings/bookings.server.ts";
import { browseShelf } from "#app/features/phones/browse.server.ts";
import { shelfAt } from "#app/features/phones/shelf.rules.ts";
import { shelfQuery } from "#app/features/phones/shelf-query.rules.ts";

/** A statement as D1 takes it. */
type Statement = { sql: string; params: (string | number | null)[] };

/** The statements that `work` sends to D1 in one batch, as they arrive there; reads find nothing, writes succeed. */
async function statementsOf(work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const batches: Statement[][] = [];
  const session = {
    prepare: (sql: string) => ({ bind: (...params: Statement["params"]) => ({ sql, params }) }),
    batch: async (statements: Statement[]) => {
      batches.push(statements);
      return statements.map(({ sql }) => ({ results: /^insert/i.test(sql) ? [{ id: "" }] : [], meta: {} }));
    },
    getBookmark: () => null,
  };
  const recorder = { withSession: () => session } as unknown as D1Database;
  await work(openDatabase({ DB: recorder }).db);
  const [statements, ...others] = batches;
  if (!statements || others.length > 0) throw new Error(`There were ${batches.length} batches.`);
  return statements;
}

/** Those of the list of all phones. */
export function listStatements(): Promise<Statement[]> {
  return statementsOf((db) => browseShelf(db, shelfAt("/products"), shelfQuery(new URLSearchParams())));
}

/** Those of a booking by whoever holds a session, with names in place of what differs from order to order. */
export async function bookingStatements(sessionId: string) {
  const request = { address: ":address", phone: ":phone" };
  const statements = await statementsOf((db) =>
    bookPhone(db, claimantBy(db, sessionId), ":phoneId", request),
  );
  const step = statements.at(-1)?.params;
  const own = new Map([
    [step?.at(-1), ":id"],
    [step?.at(0), ":stepId"],
  ]);
  return statements.map(({ sql, params }) => ({
    sql,
    params: params.map((param) => own.get(param) ?? param),
  }));
}
