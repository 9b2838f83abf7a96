import { and, eq, exists, gt, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { phones, removals } from "#app/db/schema.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";

type Kind = (typeof removals.$inferSelect)["kind"];

/** Condition on `removals`: this one, not undone. */
export function stillRemoved(removalId: string) {
  return and(eq(removals.id, removalId), isNull(removals.undoneAt));
}

/** An actor can undo a removal for so long. */
export const undoMinutes = 10;

/** Removals since this time can be undone. */
export function undoableSince(): Date {
  return new Date(Date.now() - undoMinutes * 60_000);
}

/**
 * The columns of a new row, for `insert(removals).select(…)` from the removed record.
 *
 * @param formKey idempotency key of a bulk action
 */
export function removalValues(
  removalId: string,
  actor: Pick<Actor, "id">,
  kind: Kind,
  targetId: SQLWrapper,
  formKey: string | null = null,
) {
  return {
    id: sql<string>`${removalId}`.as("id"),
    kind: sql<Kind>`${kind}`.as("kind"),
    targetId: sql<string>`${targetId}`.as("target_id"),
    actorId: sql<string>`${actor.id}`.as("actor_id"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
    undoneAt: sql<null>`null`.as("undone_at"),
    formKey: sql<string | null>`${formKey}`.as("form_key"),
  };
}

/** SQL condition for later statements of the batch: the removal was inserted. */
export function removalExists(db: Db, removalId: string) {
  return exists(db.select({ one: sql`1` }).from(removals).where(eq(removals.id, removalId)));
}

/** The IMEI hash of a restored phone: null if the device has been listed again since, because it must be unique. */
export function imeiIfStillFree(db: Db) {
  const other = alias(phones, "other");
  const listedAgain = db
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.imeiHash, phones.imeiHash), isNull(other.removalId), ne(other.id, phones.id)));
  return sql<string | null>`case when ${exists(listedAgain)} then null else ${phones.imeiHash} end`;
}

/** Finds a removal that the actor may still undo or has undone; null if it is too late or by another user. */
export async function findUndoable(db: Db, actor: Viewer, removalId: string) {
  const [removal] = await db
    .select({ kind: removals.kind, targetId: removals.targetId, undoneAt: removals.undoneAt })
    .from(removals)
    .where(
      and(
        eq(removals.id, removalId),
        eq(removals.actorId, actor.id),
        gt(removals.createdAt, undoableSince()),
      ),
    );
  return removal ?? null;
}
