import { and, eq, isNotNull, isNull, lte, not, or } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { notifications, removals, users } from "#app/db/schema.ts";
import { hasPermission } from "../accounts/has-permission.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { addRemoval, markUndone, type Removal, stillRemoved } from "../audit/removals.server.ts";
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
  const now = new Date();
  const user = eq(users.id, userId);
  const notification = notificationValues(kind, {
    userId: users.id,
    subject: users.name,
    path: paths[kind],
    event: `${kind} ${removalId}`,
  });
  const refusal = await batchUnless(db, { refused: hasRow(db, users, canChange(db, admin, userId, kind)) }, [
    addRemoval(db, admin, kind, { id: removalId, targetId: userId, createdAt: now }),
    db
      .update(users)
      .set({ moderatorSince: kind === "appointment" ? now : null })
      .where(user),
    addActivityOf(db, admin, actions[kind], users, users.email, user),
    db.insert(notifications).select(db.select(notification).from(users).where(user)).onConflictDoNothing(),
  ]);
  return refusal ? null : removalId;
}

/** Takes an appointment or a withdrawal back, with its notification; false if the role has changed since. */
export async function undoModeratorChange(
  db: Db,
  admin: Viewer,
  { id }: Pick<Removal, "id">,
): Promise<boolean> {
  const [removal] = await db.select().from(removals).where(stillRemoved(id));
  if (removal?.kind !== "appointment" && removal?.kind !== "withdrawal") return false;
  const { kind, targetId, createdAt } = removal;
  const wasAppointed = kind === "appointment";
  const now = new Date();
  const user = eq(users.id, targetId);
  const isUnchanged = and(
    canChange(db, admin, targetId, wasAppointed ? "withdrawal" : "appointment"),
    wasAppointed ? eq(users.moderatorSince, createdAt) : undefined,
  );
  const refusal = await batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, stillRemoved(id)),
      "changed since": hasRow(db, users, isUnchanged),
    },
    [
      db
        .update(users)
        .set({ moderatorSince: wasAppointed ? null : now })
        .where(user),
      db
        .delete(notifications)
        .where(and(eq(notifications.userId, targetId), eq(notifications.event, `${kind} ${id}`))),
      addActivityOf(db, admin, "undid role change", users, users.email, user),
      markUndone(db, { id }, now),
    ],
  );
  return !refusal;
}

/** Condition on `users`: this account can be appointed or lose the role, and the administrator may still do it. */
function canChange(db: Db, { id }: Viewer, userId: string, kind: RoleChange) {
  const actor = alias(users, "actor");
  const actorMayStill = hasRow(
    db,
    actor,
    and(eq(actor.id, id), hasPermission("manage moderators", actor), isNull(actor.removalId)),
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
