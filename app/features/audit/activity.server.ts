import { and, asc, desc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { isWithin, startsWith, valueFor } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { ActivityAction } from "#app/db/enums.ts";
import { allRows, exportBatchSize, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { activity } from "#app/db/schema.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import type { Actor } from "../accounts/viewer.ts";
import type { ActivityQuery } from "./activity-table.rules.ts";

/** The columns of a new row, for `insert(activity).select(…)` with the condition of the action itself. */
export function activityValues(
  actor: Pick<Actor, "id" | "email">,
  action: ActivityAction,
  targetId: SQLWrapper,
  target: SQLWrapper,
) {
  return {
    id: valueFor(activity.id, timeOrderedId()),
    actorId: valueFor(activity.actorId, actor.id),
    actorEmail: valueFor(activity.actorEmail, actor.email),
    action: valueFor(activity.action, action),
    targetId: sql<string>`${targetId}`.as("target_id"),
    target: sql<string>`${target}`.as("target"),
    createdAt: valueFor(activity.createdAt, new Date()),
  };
}

/** A statement: records an action about rows of a table, with what they are called. */
export function addActivityOf(
  db: Db,
  actor: Pick<Actor, "id" | "email">,
  action: ActivityAction,
  table: SQLiteTable & { id: SQLiteColumn },
  name: SQLWrapper,
  condition: SQL | undefined,
) {
  const values = activityValues(actor, action, table.id, name);
  return db.insert(activity).select(
    db
      .select(values)
      .from(table as SQLiteTable)
      .where(condition),
  );
}

/** A statement: records an action of an administrator or the system. */
export function addActivity(
  db: Db,
  actor: Pick<Actor, "id" | "email">,
  action: ActivityAction,
  targetId: string,
  target: string,
) {
  return db.insert(activity).values({ actorId: actor.id, actorEmail: actor.email, action, targetId, target });
}

const activityColumns = {
  id: activity.id,
  actorId: activity.actorId,
  actorEmail: activity.actorEmail,
  action: activity.action,
  targetId: activity.targetId,
  target: activity.target,
  createdAt: activity.createdAt,
};

/** A page of what administrators and the system did, by default the newest first. */
export function listActivity(db: Db, cursor: Cursor, query: ActivityQuery = { filters: {} }) {
  return numberedPage(db, cursor, activityMatching(db, query));
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
