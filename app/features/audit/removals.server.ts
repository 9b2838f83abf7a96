import { and, eq, exists, gt, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { phones, removals } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

type Kind = (typeof removals.$inferSelect)["kind"];

/** A removal that has not been taken back yet. */
export function stillRemoved(removalId: string) {
  return and(eq(removals.id, removalId), isNull(removals.undoneAt));
}

/** For so long after a deletion its actor may undo it. */
export const undoMinutes = 10;

/** The columns of a new removal, for `insert(removals).select(…)`: the row that is chosen is what goes. */
export function removalRecord(removalId: string, actor: Viewer, kind: Kind, targetId: SQLWrapper) {
  return {
    id: sql<string>`${removalId}`.as("id"),
    kind: sql<Kind>`${kind}`.as("kind"),
    targetId: sql<string>`${targetId}`.as("target_id"),
    actorId: sql<string>`${actor.id}`.as("actor_id"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
    undoneAt: sql<null>`null`.as("undone_at"),
  };
}

/** Holds once a removal has been written, for the later statements of its batch. */
export function removalExists(db: Db, removalId: string) {
  return exists(db.select({ one: sql`1` }).from(removals).where(eq(removals.id, removalId)));
}

/**
 * What a phone's IMEI becomes when the phone comes back: forgotten if the device has been offered anew meanwhile,
 * since a device is listed once.
 */
export function imeiIfStillFree(db: Db) {
  const other = alias(phones, "offered");
  const offeredAnew = db
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.imeiHash, phones.imeiHash), isNull(other.removalId), ne(other.id, phones.id)));
  return sql<string | null>`case when ${exists(offeredAnew)} then null else ${phones.imeiHash} end`;
}

/**
 * What a removal took away and may give back to this actor, and whether it has been; null when it is too late
 * or was somebody else's.
 */
export async function findUndoable(db: Db, actor: Viewer, removalId: string) {
  const [removal] = await db
    .select({ kind: removals.kind, targetId: removals.targetId, undoneAt: removals.undoneAt })
    .from(removals)
    .where(
      and(
        eq(removals.id, removalId),
        eq(removals.actorId, actor.id),
        gt(removals.createdAt, new Date(Date.now() - undoMinutes * 60_000)),
      ),
    );
  return removal ?? null;
}
