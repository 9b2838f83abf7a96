import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt } from "#app/db/conditions.server.ts";
import { phones, removals, savedReplies, tickets, users } from "#app/db/schema.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { canUndo, undoableSince } from "../audit/removals.server.ts";

/** Who deleted something and when, for its page, with the id by which the viewer can undo it. */
export interface Deletion {
  at: Date;
  /** Null if nobody of the staff did it, but its owner who is gone. */
  by: string | null;
  undoId: string | null;
}

/** Finds the deletion that a column of a row names; null if the row is not deleted, or there is none. */
async function findDeletion(
  db: Db,
  viewer: Pick<Viewer, "id">,
  table: SQLiteTable,
  removalId: SQLiteColumn,
  condition: SQL,
): Promise<(Deletion & { isOfAccount: boolean }) | null> {
  const [found] = await db
    .select({
      at: removals.createdAt,
      isOfAccount: eq(removals.kind, "user").mapWith(Boolean).as("is_of_account"),
      actorId: removals.actorId,
      actorName: users.name,
      undoId: sql<string | null>`iif(${canUndo(db, viewer)}, ${removals.id}, null)`.as("undo_id"),
    })
    .from(table)
    .innerJoin(removals, eq(removals.id, removalId))
    .leftJoin(users, eq(users.id, removals.actorId))
    .where(condition);
  if (!found) return null;
  const { actorId, actorName, ...deletion } = found;
  return { ...deletion, by: actorId ? (actorName ?? formerMember) : null };
}

/** The deletion of a support ticket. */
export const findDeletedTicket = (db: Db, viewer: Pick<Viewer, "id">, id: string) =>
  findDeletion(db, viewer, tickets, tickets.removalId, eq(tickets.id, id));

/** The deletion of a listing, or of its seller’s account. */
export const findDeletedListing = (db: Db, viewer: Pick<Viewer, "id">, id: string) =>
  findDeletion(db, viewer, phones, phones.hiddenById, eq(phones.id, id));

/** The saved replies that the viewer has deleted and can bring back, the last one first. */
export function listDeletedReplies(db: Db, viewer: Pick<Viewer, "id">) {
  return db
    .select({ removalId: removals.id, title: savedReplies.title })
    .from(removals)
    .innerJoin(savedReplies, eq(savedReplies.removalId, removals.id))
    .where(and(gt(removals.id, firstIdAt(undoableSince())), eq(removals.kind, "reply"), canUndo(db, viewer)))
    .orderBy(desc(removals.id));
}
