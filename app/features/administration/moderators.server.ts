import { and, eq, exists, isNotNull, isNull, lte, not, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { activity, notifications, removals, users } from "#app/db/schema.ts";
import { hasPermission } from "../accounts/has-permission.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { removalExists, removalValues, stillRemoved } from "../audit/removals.server.ts";
import { notificationValues } from "../notifications/notify.server.ts";

type RoleChange = "appointment" | "withdrawal";

const actions = { appointment: "appointed moderator", withdrawal: "withdrew moderator" } as const;
const paths = { appointment: "/manage/moderation", withdrawal: "/manage/account" };

/**
 * Makes an account a moderator's, or takes the role back, and notifies its owner. Administrators need no appointment, and
 * a suspended account gets none. Moderators' decisions stay when they lose the role.
 *
 * @returns the id of the change, to undo it for ten minutes; null if it is not possible
 */
export async function changeModerator(
  db: Db,
  admin: Viewer,
  userId: string,
  kind: RoleChange,
): Promise<string | null> {
  const removalId = timeOrderedId();
  const isChanged = and(eq(users.id, userId), removalExists(db, removalId));
  const appointedAt = sql`(select ${removals.createdAt} from ${removals} where ${removals.id} = ${removalId})`;
  const notification = notificationValues(kind, {
    userId: users.id,
    subject: users.name,
    path: sql`${paths[kind]}`,
    event: `${kind} ${removalId}`,
  });
  const [changed] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalValues(removalId, admin, kind, users.id))
          .from(users)
          .where(canChange(db, admin, userId, kind)),
      )
      .returning({ id: removals.id }),
    db
      .update(users)
      .set({ moderatorSince: kind === "appointment" ? appointedAt : null })
      .where(isChanged),
    db.insert(activity).select(
      db
        .select(activityValues(admin, actions[kind], users.id, users.email))
        .from(users)
        .where(isChanged),
    ),
    db
      .insert(notifications)
      .select(db.select(notification).from(users).where(isChanged))
      .onConflictDoNothing(),
  ]);
  return changed[0]?.id ?? null;
}

/** Takes an appointment or a withdrawal back, with its notification; false if the role has changed since. */
export async function undoModeratorChange(db: Db, admin: Viewer, removalId: string): Promise<boolean> {
  const [removal] = await db.select().from(removals).where(stillRemoved(removalId));
  if (removal?.kind !== "appointment" && removal?.kind !== "withdrawal") return false;
  const { kind, targetId, createdAt } = removal;
  const wasAppointed = kind === "appointment";
  const now = new Date();
  const isUnchanged = and(
    canChange(db, admin, targetId, wasAppointed ? "withdrawal" : "appointment"),
    wasAppointed ? eq(users.moderatorSince, createdAt) : undefined,
  );
  const isUndone = exists(
    db
      .select({ id: removals.id })
      .from(removals)
      .where(and(eq(removals.id, removalId), eq(removals.undoneAt, now))),
  );
  const event = eq(notifications.event, `${kind} ${removalId}`);
  const [marked] = await db.batch([
    db
      .update(removals)
      .set({ undoneAt: now })
      .where(and(stillRemoved(removalId), exists(db.select({ id: users.id }).from(users).where(isUnchanged))))
      .returning({ id: removals.id }),
    db
      .update(users)
      .set({ moderatorSince: wasAppointed ? null : now })
      .where(and(eq(users.id, targetId), isUndone)),
    db.delete(notifications).where(and(eq(notifications.userId, targetId), event, isUndone)),
    db.insert(activity).select(
      db
        .select(activityValues(admin, "undid role change", users.id, users.email))
        .from(users)
        .where(and(eq(users.id, targetId), isUndone)),
    ),
  ]);
  return marked.length > 0;
}

/** Condition on `users`: this account can be appointed or lose the role, and the administrator may still do it. */
function canChange(db: Db, { id }: Viewer, userId: string, kind: RoleChange) {
  const actor = alias(users, "actor");
  const actorMayStill = exists(
    db
      .select({ one: sql`1` })
      .from(actor)
      .where(and(eq(actor.id, id), hasPermission("manage moderators", actor), isNull(actor.removalId))),
  );
  const isNotSuspended = or(isNull(users.suspensionId), lte(users.suspendedUntil, new Date()));
  return and(
    eq(users.id, userId),
    isNull(users.removalId),
    kind === "withdrawal"
      ? isNotNull(users.moderatorSince)
      : and(not(hasPermission("moderate")), isNotSuspended),
    actorMayStill,
  );
}
