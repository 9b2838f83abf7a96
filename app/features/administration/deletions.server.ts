import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt } from "#app/db/conditions.server.ts";
import { phones, removals, savedReplies, tickets, users } from "#app/db/schema.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { canUndo, undoableSince } from "../audit/removals.server.ts";

/** Who deleted something and when, for its page, with the id by which the viewer can undo it. */
export interface DeletionRecord {
  at: Date;
  /** Null if nobody of the staff did it, but its owner who is gone. */
  by: string | null;
  undoId: string | null;
}

/** Finds the deletion that a column of a row names; null if there is none: a decision can hide a listing, too. */
async function findDeletion(
  db: Db,
  viewer: Pick<Viewer, "id">,
  table: SQLiteTable,
  removalId: SQLiteColumn,
  condition: SQL,
): Promise<(DeletionRecord & { isOfAccount: boolean }) | null> {
  const actor = alias(users, "actor");
  const isDeletion = inArray(removals.kind, ["user", "phone", "report"]);
  const [found] = await db
    .select({
      at: removals.createdAt,
      isOfAccount: eq(removals.kind, "user").mapWith(Boolean).as("is_of_account"),
      actorId: removals.actorId,
      actorName: actor.name,
      undoId: sql<string | null>`iif(${canUndo(db, viewer)}, ${removals.id}, null)`.as("undo_id"),
    })
    .from(table)
    .innerJoin(removals, and(eq(removals.id, removalId), isDeletion))
    .leftJoin(actor, eq(actor.id, removals.actorId))
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

/** The deletion of an account, with its name, unless it was closed by its owner, who is not named anymore. */
export async function findDeletedUser(db: Db, viewer: Pick<Viewer, "id">, id: string) {
  const isUser = eq(users.id, id);
  const deletion = await findDeletion(db, viewer, users, users.removalId, isUser);
  if (!deletion) return null;
  const [user] = deletion.by === null ? [] : await db.select({ name: users.name }).from(users).where(isUser);
  return { ...deletion, name: user?.name ?? formerMember };
}

/** The saved replies that the viewer has deleted and can bring back, the last one first. */
export function listDeletedReplies(db: Db, viewer: Pick<Viewer, "id">) {
  return db
    .select({ removalId: removals.id, title: savedReplies.title })
    .from(removals)
    .innerJoin(savedReplies, eq(savedReplies.removalId, removals.id))
    .where(and(gt(removals.id, firstIdAt(undoableSince())), eq(removals.kind, "reply"), canUndo(db, viewer)))
    .orderBy(desc(removals.id));
}
