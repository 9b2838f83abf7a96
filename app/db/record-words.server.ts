import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { foldText } from "./fold-text.ts";
import { recordNumbers } from "./schema.ts";

type WordsOf = "name" | "email" | "details";

/**
 * Selects the ids of records that have each of the words typed, or words that begin with them, whatever their letter
 * case and accents.
 */
export function recordsWith(db: Db, typed: string, columns: WordsOf[] = ["name", "email", "details"]) {
  return db
    .select({ id: recordNumbers.recordId })
    .from(recordNumbers)
    .where(sql`${recordNumbers.number} in ${numbersOf(typed, columns)}`);
}

/** Like `recordsWith`, but of one kind and only the newest `limit`. */
export function newestRecordsWith(
  kind: "users" | "reports" | "content_reports",
  typed: string,
  limit: number,
  columns: WordsOf[] = ["name", "email", "details"],
): SQL {
  const match = matchOf(typed, columns);
  if (match === null) return sql`(null)`;
  // Read one by one from the newest on: SQLite does not reorder a cross join.
  return sql`(select ${recordNumbers.recordId} from records_fts cross join ${recordNumbers}
    where records_fts match ${match} and ${recordNumbers.number} = records_fts.rowid and ${recordNumbers.kind} = ${kind}
    order by records_fts.rowid desc limit ${limit})`;
}

function numbersOf(typed: string, columns: WordsOf[]): SQL {
  const match = matchOf(typed, columns);
  return match === null ? sql`(null)` : sql`(select rowid from records_fts where records_fts match ${match})`;
}

function matchOf(typed: string, columns: WordsOf[]): string | null {
  const words = foldText(typed)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const match = words.map((word) => `"${word.replaceAll('"', "")}"*`).join(" ");
  return match ? `{${columns.join(" ")}} : (${match})` : null;
}
