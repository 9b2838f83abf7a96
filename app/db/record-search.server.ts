import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { foldText } from "./fold-text.ts";
import { matchOf, recordsThat, type WordsOf } from "./record-words.server.ts";
import { recordNumbers } from "./schema.ts";

// Apart from `record-words.server.ts`, since only pages of staff load it.

/** Shorter texts match most addresses and phone numbers. */
export const minContactLength = 3;

/** Like `recordsWithWords`, but of one kind and only the newest `limit`. */
export function newestRecordsWith(
  kind: "users" | "reports" | "content_reports",
  typed: string,
  limit: number,
  columns?: WordsOf[],
): SQL {
  return newestThat(matchOf(typed, columns), limit, sql`${recordNumbers.kind} = ${kind}`);
}

/**
 * Selects the ids of the orders and saved addresses whose address has the words typed, as `recordsWithWords` compares them, or
 * whose phone number has the digits typed, however both are grouped.
 */
export function contactsWith(db: Db, typed: string) {
  return recordsThat(db, contactMatchOf(typed));
}

/** Like `contactsWith`, but only the newest `limit`. */
export function newestContactsWith(typed: string, limit: number): SQL {
  return newestThat(contactMatchOf(typed), limit);
}

function newestThat(match: string | null, limit: number, condition = sql`true`): SQL {
  if (match === null) return sql`(null)`;
  // Read one by one from the newest on: SQLite does not reorder a cross join.
  return sql`(select ${recordNumbers.recordId} from records_fts cross join ${recordNumbers}
    where records_fts match ${match} and ${recordNumbers.number} = records_fts.rowid and ${condition}
    order by records_fts.rowid desc limit ${limit})`;
}

function contactMatchOf(typed: string): string | null {
  const text = foldText(typed);
  const ofAddress = matchOf(typed, ["address"]);
  // The trigger `record_words_folded` of migration 0035 takes the same separators out of a number.
  const digits = text.replaceAll(/[\s()+./-]/g, "");
  if (/^\d+$/.test(digits))
    return digits.length < minContactLength ? null : `${ofAddress} OR phone : "${digits}"*`;
  const lengths = text.split(/\s+/).map((word) => word.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  return Math.max(...lengths) < minContactLength ? null : ofAddress;
}
