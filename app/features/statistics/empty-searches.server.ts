import { and, desc, gte, lt, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emptySearches } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { foldedWords } from "../listings/device-variant.rules.ts";
import { batchedCounter } from "./batched-counter.server.ts";

const maxLength = 60;

/** More digits than these are a phone number or an IMEI rather than models and sizes. */
const maxDigits = 8;

/** Rows of one day. Words of more are not counted. */
const maxRows = 500;

/** Words that fewer people look for might tell who they are: they are not shown, and deleted after their day. */
const minSearches = 3;

const retentionDays = 90;

const shownSearches = 20;

/** What is kept of the words of a search; null if they may name a person. */
function keptWords(words: string): string | null {
  const digits = words.match(/\d/g)?.length ?? 0;
  if (words.includes("@") || digits > maxDigits) return null;
  return foldedWords(words).join(" ").slice(0, maxLength).trim() || null;
}

/** Counts a search whose words no listing has. Nothing of who searched is kept. */
export async function countEmptySearch(db: Db, words: string): Promise<void> {
  const kept = keptWords(words);
  if (kept) await count(db, kept);
}

const waitingSearches = new Map<string, number>();

const count = batchedCounter(waitingSearches, 50, (db, counts) => {
  const day = today(new Date());
  const isOfToday = sql`${emptySearches.day} = ${day}`;
  return db
    .insert(emptySearches)
    .select(
      sql`select ${day}, searched.key, searched.value from json_each(${counts}) as searched
        where (select count(*) from ${emptySearches} where ${isOfToday}) < ${maxRows}
          or exists (select 1 from ${emptySearches} where ${isOfToday} and ${emptySearches.words} = searched.key)`,
    )
    .onConflictDoUpdate({
      target: [emptySearches.day, emptySearches.words],
      set: { searches: sql`${emptySearches.searches} + excluded.searches` },
    });
});

/** The words that were searched for most often since a day, without a result. */
export function mostMissed(db: Db, firstDay: number) {
  const searches = sql<number>`sum(${emptySearches.searches})`;
  return db
    .select({
      words: emptySearches.words,
      searches: searches.as("times_searched"),
      lastDay: sql<number>`max(${emptySearches.day})`.as("last_day"),
    })
    .from(emptySearches)
    .where(gte(emptySearches.day, firstDay))
    .groupBy(emptySearches.words)
    .having(sql`${searches} >= ${minSearches}`)
    .orderBy(desc(sql`times_searched`), emptySearches.words)
    .limit(shownSearches);
}

/** Deletes what is old, and rare words of past days. */
export async function forgetEmptySearches(db: Db, now = new Date()): Promise<void> {
  const day = today(now);
  await db
    .delete(emptySearches)
    .where(
      or(
        lt(emptySearches.day, day - retentionDays),
        and(lt(emptySearches.day, day), lt(emptySearches.searches, minSearches)),
      ),
    );
}

const today = (now: Date) => Math.floor(now.getTime() / dayMs);
