import { and, desc, gte, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { recordedErrors } from "#app/db/schema.ts";
import { dayMs, hourMs } from "#app/time.ts";

/** Of an hour no more are recorded: the log has them all. */
const maxOfHour = 200;

/** System counts the newest so many. */
const maxCounted = 400;

const keptDays = 30;

/** References that an answer to a report looks up. */
const maxReferences = 5;

type RecordedError = typeof recordedErrors.$inferInsert;

/**
 * Records a response that says that we failed, for System and for those who get its reference in a report.
 *
 * @param error its path is masked, so it holds nothing of a person
 */
export async function recordError(db: Db, error: Omit<RecordedError, "createdAt">) {
  const now = new Date();
  const values = { ...error, createdAt: now };
  const ofHour = db
    .select({ one: sql`1` })
    .from(recordedErrors)
    .where(gte(recordedErrors.createdAt, new Date(now.getTime() - hourMs)))
    .limit(maxOfHour);
  await db.run(
    sql`insert into ${recordedErrors} (reference, method, path, status, created_at)
      select ${values.reference}, ${values.method}, ${values.path}, ${values.status}, ${now.getTime()}
      where (select count(*) from ${ofHour}) < ${maxOfHour} on conflict do nothing`,
  );
}

/** The errors of the last day, by page and status: those of the last hour first. */
export async function summarizeErrors(db: Db) {
  const now = new Date();
  const rows = await db
    .select()
    .from(recordedErrors)
    .where(gte(recordedErrors.createdAt, new Date(now.getTime() - dayMs)))
    .orderBy(desc(recordedErrors.createdAt))
    .limit(maxCounted);
  const lastHour = now.getTime() - hourMs;
  const hours = Array.from({ length: 24 }, () => 0);
  const kinds = new Map<
    string,
    { kind: string; lastHour: number; lastDay: number; reference: string; at: Date }
  >();
  for (const { method, path, status, reference, createdAt } of rows) {
    const kind = `${status} ${method} ${path}`;
    const found = kinds.get(kind) ?? { kind, lastHour: 0, lastDay: 0, reference, at: createdAt };
    found.lastDay += 1;
    if (createdAt.getTime() >= lastHour) found.lastHour += 1;
    kinds.set(kind, found);
    const hoursAgo = Math.min(23, Math.max(0, Math.floor((now.getTime() - createdAt.getTime()) / hourMs)));
    hours[23 - hoursAgo] = (hours[23 - hoursAgo] ?? 0) + 1;
  }
  const sorted = [...kinds.values()].sort(
    (one, other) => other.lastHour - one.lastHour || other.lastDay - one.lastDay,
  );
  return {
    kinds: sorted,
    lastHour: sorted.reduce((sum, kind) => sum + kind.lastHour, 0),
    lastDay: rows.length,
    isMore: rows.length === maxCounted || hours.some((count) => count >= maxOfHour),
    /** How many in each of the last 24 hours, the oldest first. */
    hours,
  };
}

export type ErrorSummary = Awaited<ReturnType<typeof summarizeErrors>>;

/** How many there were in the last hour. */
export function countErrors(db: Db, now = new Date()): Promise<number> {
  return db.$count(recordedErrors, gte(recordedErrors.createdAt, new Date(now.getTime() - hourMs)));
}

/** The recorded errors that texts name by their references, in their order. */
export async function findNamedErrors(db: Db, texts: string[]) {
  const named = texts.flatMap(
    (text) => text.toLowerCase().match(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g) ?? [],
  );
  const references = [...new Set(named)].slice(0, maxReferences);
  if (references.length === 0) return [];
  const found = await db.select().from(recordedErrors).where(inArray(recordedErrors.reference, references));
  return references.flatMap((reference) => found.filter((row) => row.reference === reference));
}

/** Deletes what is older than 30 days, a portion of it. */
export async function forgetErrors(db: Db, limit: number): Promise<void> {
  const old = db
    .select({ reference: recordedErrors.reference })
    .from(recordedErrors)
    .where(and(lt(recordedErrors.createdAt, new Date(Date.now() - keptDays * dayMs))))
    .limit(limit);
  await db.delete(recordedErrors).where(inArray(recordedErrors.reference, old));
}
