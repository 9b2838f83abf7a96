import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, messages, phones, reviews, users } from "#app/db/schema.ts";
import { imeiIfStillFree } from "../../audit/removals.server.ts";
import { removalOfSeller } from "../../listings/listing-removal.server.ts";
import { isHideable, removable } from "./decision-conditions.server.ts";

type Decision = typeof decisions.$inferSelect;

/**
 * Hides what a decision hides, and begins its suspension. Statements for a batch.
 *
 * @param replacedId the suspension that it replaces
 */
export function applyEffects(
  db: Db,
  decision: Pick<Decision, "id" | "kind" | "targetKind" | "targetId" | "ownerId" | "until">,
  replacedId: SQL = sql`null`,
) {
  const { id, kind, targetKind, targetId, ownerId, until } = decision;
  if (kind === "suspend") {
    return [
      db
        .update(users)
        .set({ suspensionId: id, suspendedUntil: until })
        .where(
          and(eq(users.id, ownerId), or(isNull(users.suspensionId), eq(users.suspensionId, replacedId))),
        ),
      db
        .update(phones)
        .set({ removalId: id })
        .where(
          and(
            eq(phones.sellerId, ownerId),
            eq(phones.status, "available"),
            or(isNull(phones.removalId), eq(phones.removalId, replacedId)),
          ),
        ),
    ] as const;
  }
  if (kind !== "hide" && kind !== "remove" && kind !== "hold") return [];
  if (targetKind === "review" || targetKind === "message") {
    const table = targetKind === "review" ? reviews : messages;
    return [
      db
        .update(table)
        .set({ hiddenById: id })
        .where(and(eq(table.id, targetId), isNull(table.hiddenById))),
    ] as const;
  }
  return [
    db
      .update(phones)
      .set({ removalId: id })
      .where(and(eq(phones.id, targetId), isHideable(db, kind === "remove" ? removable : undefined))),
  ] as const;
}

/** Shows again what a decision hides, and ends its suspension. Statements for a batch. */
export function liftEffects(db: Db, id: string | SQL) {
  const column = (name: "target_id" | "owner_id") =>
    sql`(select ended.${sql.raw(name)} from ${decisions} as ended where ended.id = ${id})`;
  return [
    db
      .update(users)
      .set({ suspensionId: null, suspendedUntil: null })
      .where(and(eq(users.id, column("owner_id")), eq(users.suspensionId, sql`${id}`))),
    db
      .update(phones)
      .set({ removalId: removalOfSeller, imeiHash: imeiIfStillFree(db) })
      .where(eq(phones.removalId, sql`${id}`)),
    ...[reviews, messages].map((table) =>
      db
        .update(table)
        .set({ hiddenById: null })
        .where(and(eq(table.id, column("target_id")), eq(table.hiddenById, sql`${id}`))),
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
