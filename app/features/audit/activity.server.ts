import { desc, type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { pageSlice, tablePage } from "#app/db/page.ts";
import { activity } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

type Act = (typeof activity.$inferSelect)["act"];

/**
 * The columns of a record of an administrator's act, for `insert(activity).select(…)` in the batch of the act
 * itself: as the act's own condition chooses the row, what did not come about is not recorded.
 *
 * @param targetId the key of what was acted on
 * @param target the same in words: an address, a device
 */
export function actRecord(actor: Viewer, act: Act, targetId: SQLWrapper, target: SQLWrapper) {
  return {
    id: sql<string>`${timeOrderedId()}`.as("id"),
    actorId: sql<string>`${actor.id}`.as("actor_id"),
    actorEmail: sql<string>`${actor.email}`.as("actor_email"),
    act: sql<Act>`${act}`.as("act"),
    targetId: sql<string>`${targetId}`.as("target_id"),
    target: sql<string>`${target}`.as("target"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
  };
}

const activityColumns = {
  id: activity.id,
  actorEmail: activity.actorEmail,
  act: activity.act,
  target: activity.target,
  createdAt: activity.createdAt,
};

/** A page of what administrators did, newest first. */
export async function listActivity(db: Db, page: number) {
  const { limit, offset } = pageSlice(page);
  const [rows, count] = await db.batch([
    db.select(activityColumns).from(activity).orderBy(desc(activity.id)).limit(limit).offset(offset),
    db.select({ count: sql<number>`count(*)` }).from(activity),
  ]);
  return tablePage(rows, page, count[0]?.count ?? 0);
}
