/** One statement as the database takes it: SQL with placeholders, and what stands in their places. */
export interface Statement {
  sql: string;
  params: unknown[];
}

/** What one statement brought. */
export interface Answer {
  /** Values by the names of their columns and in their order, each under a name of its own. */
  rows: Record<string, unknown>[];
  /** Rows that the database looked at; unknown on libSQL. */
  rowsRead?: number;
  /** Rows that the statement changed; of what it only read, D1 and libSQL may say anything. */
  rowsWritten?: number;
}

/** What statements do: a write is asked for once, a read may be asked for again. */
export type Kind = "read" | "write";

/** The way to a database. */
export interface Driver {
  /**
   * Runs statements in one round trip and one transaction.
   *
   * @param signal ends the wait for an answer
   * @throws Unreachable when the database could not be asked or did not answer
   */
  run(statements: Statement[], kind: Kind, signal: AbortSignal): Promise<Answer[]>;
}

/**
 * Where a request reads, for databases with replicas: anywhere; where everything written so far is seen; or
 * anywhere that has seen at least what a bookmark of an earlier answer stands for.
 */
export type Reads = "anywhere" | "primary" | { since: string };

const readStatement = /^\s*(select|explain)\b/i;
const readTogether = /^\s*with\b/i;
const writeWords = /\b(insert|update|delete|replace)\b/i;

/** Whether a statement changes nothing; in doubt it counts as one that does. */
export function isRead(sql: string): boolean {
  return readStatement.test(sql) || (readTogether.test(sql) && !writeWords.test(sql));
}
