import { sql } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { foldText } from "./fold-text.ts";
import { recordNumbers } from "./schema.ts";

/** Columns of the index. */
export type WordsOf = "name" | "email" | "details" | "address";

const allWords: WordsOf[] = ["name", "email", "details"];

/**
 * Selects the ids of records that have each of the words typed, or words that begin with them, whatever their letter
 * case and accents.
 */
export function recordsWithWords(db: Db, typed: string, columns?: WordsOf[]) {
  return recordsThat(db, matchOf(typed, columns));
}

/** Selects the ids of the records that match. @param match null if none does */
export function recordsThat(db: Db, match: string | null) {
  const numbers =
    match === null ? sql`(null)` : sql`(select rowid from records_fts where records_fts match ${match})`;
  return db
    .select({ id: recordNumbers.recordId })
    .from(recordNumbers)
    .where(sql`${recordNumbers.number} in ${numbers}`);
}

/** What the index is asked for: each of the words typed, or one that begins with it; null without any. */
export function matchOf(typed: string, columns = allWords): string | null {
  const words = foldText(typed)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const match = words.map((word) => `"${word.replaceAll('"', "")}"*`).join(" ");
  return match ? `{${columns.join(" ")}} : (${match})` : null;
}
