import { eq, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Mutation } from "#app/server/http/mutations.server.ts";
import type { LocalServer } from "../../../scripts/local-server.ts";
import type { Visitor } from "../visitor.ts";
import type { Person } from "./records.ts";

/** The server of the market, and its database. */
export type Market = Pick<LocalServer, "url" | "db">;

export type Fields = Record<string, string | string[]>;

/** How soak and limits judge the result of a mutation. */
interface Traits {
  /** The response is the same whether anything was done, since it must not reveal that. */
  isSilent?: boolean;
  /** Tables of what follows the change itself, which is done without them. */
  follows?: string[];
  /** It stores nothing. */
  isRead?: boolean;
  /** The same request again does it again. */
  mayRepeat?: boolean;
  /** Needs a new challenge after a failure, which the browser asks for. */
  hasChallenge?: boolean;
  /** Each row is changed by itself, so that a failure leaves some of them changed. */
  isByRow?: boolean;
  /** Each role tries another example that passes the same guards; or it hashes a password, which takes a while. */
  triedOnce?: boolean;
  /** The field that the refused form shows again. */
  typed?: string;
  /** How too many attempts are refused, if not on the page of the form: on the next one, or as JSON for a script. */
  refusal?: "toast" | "script";
}

/** A mutation as a form, as an operation of the REST API, or both, with all that it needs in the database. */
export interface Example extends Traits {
  /** The path of the form's route. */
  form?: string;
  /** The method and path of the operation. */
  rest?: string;
  /** What is sent, beside what `prepare` adds. */
  fields?: Fields;
  /** Whether the form has a key, so that it takes effect once. */
  hasKey?: boolean;
  body?: object;
  /** Whose the target is, if access to the page and the operation does not say it. */
  of?: "owner" | "owner or administrator" | "administrator";
  /** What others get: 404 by default, 303 with a message on the page, or the status of a request that finds nothing. */
  refused?: { form?: 303; rest?: 200 };
  /** Brings the market into the state before. @param by who sends it, if it is of nobody */
  prepare(market: Market, by?: Person): Promise<Prepared>;
}

/** Somebody who is logged in, or not. */
export type Sender = Visitor & Partial<Pick<Person, "account">>;

interface Prepared {
  /** Who sends it, by default a new buyer, or an administrator for what staff do. */
  person?: Sender;
  /** The parameters of the paths, in their order. */
  ids?: string[];
  query?: string;
  fields?: Fields;
  body?: object;
  /** The body of an upload. */
  file?: Buffer;
  /** The rows that it changes, adds or deletes. */
  rows: Rows;
}

export interface Rows {
  table: SQLiteTable;
  where: SQL;
}

export const rowsWith = (column: SQLiteColumn, value = ""): Rows => ({
  table: column.table as SQLiteTable,
  where: eq(column, value),
});

/** The examples of each mutation. */
export type Examples = Partial<Record<Mutation, readonly [Example, ...Example[]]>>;
