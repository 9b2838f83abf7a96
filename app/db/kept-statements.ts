import { fillPlaceholders, type Placeholder, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { PreparedQuery } from "drizzle-orm/session";
import type { Db } from "./client.server.ts";
import { inD1Shape } from "./d1-shape.ts";

/** A value for a statement, as SQLite takes it. */
type Value = string | number | null;

/** A value, or the place of one in a statement that is kept. */
export type ValueOrPlace<Own extends Value = Value> = Own | SQLWrapper;

/** Where the values stand in a statement that is kept. */
export type Places<Own> = { readonly [Name in keyof Own & string]: Placeholder<Name> };

type Values<Own> = { [Name in keyof Own]: Value };
type Item = BatchItem<"sqlite">;

/** Puts statements together, and runs none. */
const writer = drizzle(
  inD1Shape(() => Promise.reject(new Error("Statements that are kept run on a request's own database."))),
);

/**
 * Statements that differ from one time to the next in a few values alone. They are put together once: drizzle takes
 * longer for that than for all else it does with them.
 *
 * @param write puts them together, with places in place of values; it gets a database to write for
 * @returns what makes them anew for a request's database, with its own values, for `db.batch`
 */
export function keptStatements<Own extends Values<Own>, Statements extends readonly [Item, ...Item[]]>(
  write: (db: Db, own: Places<Own>) => Statements,
): (db: Db, own: Own) => Statements {
  let kept: PreparedQuery[] | undefined;
  return (db, own) => {
    kept ??= write(writer, placesFor<Own>()).map(prepared);
    return kept.map((statement) => withValues(db, statement, own)) as unknown as Statements;
  };
}

/** A place for whatever is asked for. */
function placesFor<Own>(): Places<Own> {
  return new Proxy({} as Places<Own>, { get: (_, name) => sql.placeholder(String(name)) });
}

/** As much of a statement as drizzle's `batch` asks of it; its types do not tell of that. */
interface Preparable {
  _prepare(): PreparedQuery & { stmt: Pick<D1PreparedStatement, "bind"> };
}

function prepared(statement: Item): PreparedQuery {
  return (statement as unknown as Preparable)._prepare();
}

function withValues(db: Db, statement: PreparedQuery, own: object): Preparable {
  const { sql, params } = statement.getQuery();
  const query = { sql, params: fillPlaceholders(params, { ...own }) };
  return {
    _prepare: () => ({
      getQuery: () => query,
      stmt: db.$client.prepare(sql),
      mapResult: (response, isFromBatch) => statement.mapResult(response, isFromBatch),
    }),
  };
}
