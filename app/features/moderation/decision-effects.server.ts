import { and, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, messages, phones, reviews, users } from "#app/db/schema.ts";
import { imeiIfStillFree } from "../audit/removals.server.ts";
import { removalOfSeller } from "../listings/sellings.server.ts";

/** Shows again what a decision hides, and ends its suspension. Statements for a batch. */
export function liftEffects(db: Db, id: string | SQL, condition?: SQL) {
  const column = (name: "target_id" | "owner_id") =>
    sql`(select ended.${sql.raw(name)} from ${decisions} as ended where ended.id = ${id})`;
  return [
    db
      .update(users)
      .set({ suspensionId: null, suspendedUntil: null })
      .where(and(eq(users.id, column("owner_id")), eq(users.suspensionId, sql`${id}`), condition)),
    db
      .update(phones)
      .set({ removalId: removalOfSeller, imeiHash: imeiIfStillFree(db) })
      .where(and(eq(phones.removalId, sql`${id}`), condition)),
    ...[reviews, messages].map((table) =>
      db
        .update(table)
        .set({ hiddenById: null })
        .where(and(eq(table.id, column("target_id")), eq(table.hiddenById, sql`${id}`), condition)),
    ),
  ] as const;
}

/** Suspensions that one run of the job ends; the next run continues. */
const maxEnded = 50;

/** Ends the suspensions that are over and lists what they hid again. */
export async function endSuspensions(db: Db, now = new Date()): Promise<void> {
  const over = await db
    .select({ id: decisions.id })
    .from(decisions)
    .where(
      and(
        eq(decisions.kind, "suspend"),
        isNull(decisions.endedAt),
        isNotNull(decisions.until),
        lte(decisions.until, now),
      ),
    )
    .orderBy(decisions.until)
    .limit(maxEnded);
  for (const { id } of over) {
    await db.batch([
      ...liftEffects(db, id),
      db
        .update(decisions)
        .set({ endedAt: now })
        .where(and(eq(decisions.id, id), isNull(decisions.endedAt))),
    ]);
  }
}
