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

function numbersOf(typed: string, columns: WordsOf[]): SQL {
  const words = foldText(typed)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const match = words.map((word) => `"${word.replaceAll('"', "")}"*`).join(" ");
  if (!match) return sql`(null)`;
  return sql`(select rowid from records_fts where records_fts match ${`{${columns.join(" ")}} : (${match})`})`;
}
