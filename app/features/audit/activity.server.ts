import { and, asc, desc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin, startsWith, valueFor } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { ActivityAction, ActivityDetails } from "#app/db/enums.ts";
import { allRows, exportBatchSize, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { activity, removals } from "#app/db/schema.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";
import type { ActivityQuery } from "./activity-table.rules.ts";
import { canUndo } from "./removals.server.ts";

/**
 * The columns of a new row, for `insert(activity).select(…)` with the condition of the action itself.
 *
 * @param id of the removal, if the action can be undone: by it, the row has its Undo
 */
export function activityValues(
  actor: Pick<Actor, "id" | "email">,
  action: ActivityAction,
  targetId: SQLWrapper,
  target: SQLWrapper,
  id: string = timeOrderedId(),
  details: SQLWrapper = sql`null`,
) {
  return {
    id: valueFor(activity.id, id),
    actorId: valueFor(activity.actorId, actor.id),
    actorEmail: valueFor(activity.actorEmail, actor.email),
    action: valueFor(activity.action, action),
    targetId: sql<string>`${targetId}`.as("target_id"),
    target: sql<string>`${target}`.as("target"),
    createdAt: valueFor(activity.createdAt, new Date()),
    details: sql<ActivityDetails | null>`${details}`.as("details"),
  };
}

/** A statement: records an action about a row of a table, with what it is called. @param id see `activityValues` */
export function addActivityOf(
  db: Db,
  actor: Pick<Actor, "id" | "email">,
  action: ActivityAction,
  table: SQLiteTable & { id: SQLiteColumn },
  name: SQLWrapper,
  condition: SQL | undefined,
  id?: string,
  details?: ActivityDetails,
) {
  const stored = details && sql`${JSON.stringify(details)}`;
  const values = activityValues(actor, action, table.id, name, id, stored);
  return db.insert(activity).select(
    db
      .select(values)
      .from(table as SQLiteTable)
      .where(condition),
  );
}

/** A statement: records an action of an administrator or the system. @param id see `activityValues` */
export function addActivity(
  db: Db,
  actor: Pick<Actor, "id" | "email">,
  action: ActivityAction,
  targetId: string,
  target: string,
  { id, details }: { id?: string; details?: ActivityDetails } = {},
) {
  return db
    .insert(activity)
    .values({ id, actorId: actor.id, actorEmail: actor.email, action, targetId, target, details });
}

const activityColumns = {
  id: activity.id,
  actorId: activity.actorId,
  actorEmail: activity.actorEmail,
  action: activity.action,
  targetId: activity.targetId,
  target: activity.target,
  details: activity.details,
  createdAt: activity.createdAt,
};

/** A page of what administrators and the system did, by default the newest first, with what the viewer can undo. */
export function listActivity(
  db: Db,
  viewer: Pick<Viewer, "id">,
  cursor: Cursor,
  query: ActivityQuery = { filters: {} },
) {
  const read = ({ where, orderBy, limit, sortValue }: PageQuery) =>
    db
      .select({ ...activityColumns, canUndo: canUndoColumn(db, viewer), sortValue })
      .from(activity)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit);
  return numberedPage(db, cursor, { ...activityMatching(db, query), read });
}

/** A column of `activity`: the viewer can undo the action. */
export function canUndoColumn(db: Db, viewer: Pick<Viewer, "id">) {
  return hasRow(db, removals, and(eq(removals.id, activity.id), canUndo(db, viewer)))
    .mapWith(Boolean)
    .as("can_undo");
}

/** All activity that matches a table's query, in batches. */
export function exportActivity(db: Db, query: ActivityQuery) {
  return allRows(activityMatching(db, query), exportBatchSize);
}

function activityMatching(db: Db, { filters: { q, action, from, to }, sort }: ActivityQuery) {
  return {
    table: activity,
    where: and(
      q ? startsWith(activity.actorEmail, q) : undefined,
      action && eq(activity.action, action),
      ...isWithin(activity.createdAt, dayRange({ from, to })),
    ),
    order: sort === "oldest" ? asc : desc,
    read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
      db
        .select({ ...activityColumns, sortValue })
        .from(activity)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  };
}
