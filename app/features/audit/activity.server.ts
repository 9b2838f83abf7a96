import { type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { numberedPage } from "#app/db/keyset.server.ts";
import { activity } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

type Action = (typeof activity.$inferSelect)["action"];

/** The columns of a new row, for `insert(activity).select(…)` with the condition of the action itself. */
export function activityValues(actor: Viewer, action: Action, targetId: SQLWrapper, target: SQLWrapper) {
  return {
    id: sql<string>`${timeOrderedId()}`.as("id"),
    actorId: sql<string>`${actor.id}`.as("actor_id"),
    actorEmail: sql<string>`${actor.email}`.as("actor_email"),
    action: sql<Action>`${action}`.as("action"),
    targetId: sql<string>`${targetId}`.as("target_id"),
    target: sql<string>`${target}`.as("target"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
  };
}

const activityColumns = {
  id: activity.id,
  actorEmail: activity.actorEmail,
  action: activity.action,
  target: activity.target,
  createdAt: activity.createdAt,
};

/** A page of what administrators did, newest first. */
export function listActivity(db: Db, cursor: Cursor) {
  return numberedPage(db, cursor, {
    table: activity,
    read: ({ where, orderBy, limit }) =>
      db.select(activityColumns).from(activity).where(where).orderBy(orderBy).limit(limit),
  });
}
