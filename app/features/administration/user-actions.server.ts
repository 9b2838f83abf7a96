import { and, eq, inArray, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { freeStatuses } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  activity,
  notifications,
  oneTimeTokens,
  personalAccessTokens,
  phones,
  removals,
  sessions,
  users,
} from "#app/db/schema.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { nextSessionVersion } from "../accounts/accounts.server.ts";
import { emailEquals } from "../accounts/email.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues, addActivityOf } from "../audit/activity.server.ts";
import { notificationValues, takeBackNotification } from "../audit/notify.server.ts";
import {
  addRemoval,
  isNotUndone,
  markUndone,
  type Removal,
  type RemovalOutcome,
  type UndoHandler,
} from "../audit/removals.server.ts";
import { imeiIfStillFree, stillHiddenBy } from "../listings/listing-removal.server.ts";
import { sellsOrHasListed } from "../listings/sellings.server.ts";
import { hasHeldMoney } from "../payments/money-facts.server.ts";

/**
 * Removes a user with their sessions, tokens and available phones, which can be undone for ten minutes.
 * Administrators cannot remove themselves, and of two who remove each other at the same time one fails. Refused
 * while the payment of one of their orders is held.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function removeUser(
  db: Db,
  admin: Viewer,
  userId: string,
  formKey: string | null = null,
): Promise<RemovalOutcome<"not found" | "not allowed" | "money held">> {
  const removalId = timeOrderedId();
  const user = eq(users.id, userId);
  const actor = and(eq(users.id, admin.id), hasPermission("manage users"), isNull(users.removalId));
  const refusal = await batchUnless(
    db,
    {
      "not found": hasRow(db, users, and(user, isNull(users.removalId), ne(users.id, admin.id))),
      "not allowed": hasRow(db, users, actor),
      "money held": not(hasHeldMoney(db, userId)),
    },
    [
      addRemoval(db, admin, "user", { id: removalId, targetId: userId, formKey }),
      db.update(users).set({ removalId }).where(user),
      db.delete(sessions).where(eq(sessions.userId, userId)),
      db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId)),
      db.delete(personalAccessTokens).where(eq(personalAccessTokens.userId, userId)),
      db
        .update(phones)
        .set({ hiddenById: removalId })
        .where(
          and(eq(phones.sellerId, userId), inArray(phones.status, freeStatuses), isNull(phones.hiddenById)),
        ),
      addActivityOf(db, admin, "deleted user", users, users.email, user, removalId),
    ],
  );
  return refusal ? { refusal } : { removalId };
}

/** Why a user is not removed whose money is held. */
export const moneyHeldText =
  "We hold the money of one of this user’s orders. Delete them once it’s paid out, or refund it on the order’s page.";

export const userUndo: UndoHandler = {
  undo: restoreUser,
  isUndone: (db, id) => isUser(db, id, isNull(users.removalId)),
  texts: {
    undone: "User Restored",
    many: "users restored",
    impossible:
      "Another account now uses this email address or Google account, so we can’t restore this one.",
  },
};

/** Restores a removed user and their phones, unless email address or Google account are in use by now. */
function restoreUser(db: Db, admin: Viewer, removal: Removal) {
  const other = alias(users, "other");
  const isTaken = hasRow(
    db,
    other,
    and(
      or(emailEquals(other.email, users.email), eq(other.googleSubject, users.googleSubject)),
      isNull(other.removalId),
    ),
  );
  const user = eq(users.id, removal.targetId);
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(removal.id)),
      taken: hasRow(db, users, and(user, eq(users.removalId, removal.id), not(isTaken))),
    },
    [
      db.update(users).set({ removalId: null }).where(user),
      db
        .update(phones)
        .set({ hiddenById: stillHiddenBy, imeiHash: imeiIfStillFree(db) })
        .where(eq(phones.hiddenById, removal.id)),
      addActivityOf(db, admin, "undid deletion", users, users.email, user),
      markUndone(db, removal),
    ],
  );
}

/**
 * Verifies a seller, notifies them, and can be undone for ten minutes.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function verifySeller(
  db: Db,
  admin: Viewer,
  sellerId: string,
  formKey: string | null = null,
): Promise<RemovalOutcome<"verified before" | "not found">> {
  const removalId = timeOrderedId();
  const seller = eq(users.id, sellerId);
  const isSeller = and(seller, sellsOrHasListed(db), isNull(users.removalId));
  const notification = notificationValues("verification", {
    userId: users.id,
    subject: users.name,
    path: sql`'/sellers/' || ${users.id}`,
    event: `verification ${sellerId}`,
  });
  const refusal = await batchUnless(
    db,
    {
      "not found": hasRow(db, users, isSeller),
      "verified before": hasRow(db, users, and(seller, eq(users.verified, false))),
    },
    [
      addRemoval(db, admin, "verification", { id: removalId, targetId: sellerId, formKey }),
      db.update(users).set({ verified: true }).where(seller),
      addActivityOf(db, admin, "verified seller", users, users.email, seller, removalId),
      db
        .insert(notifications)
        .select(db.select(notification).from(users).where(seller))
        .onConflictDoNothing(),
    ],
  );
  return refusal ? { refusal } : { removalId };
}

export const verificationUndo: UndoHandler = {
  undo: undoVerification,
  isUndone: (db, id) => isUser(db, id, eq(users.verified, false)),
  texts: {
    undone: "The seller is no longer verified.",
    many: "verifications undone",
    impossible: "We can’t undo this verification.",
  },
};

/** Takes a verification back, with the seller's notification of it, unless it has been taken back already. */
function undoVerification(db: Db, admin: Viewer, removal: Removal) {
  const seller = eq(users.id, removal.targetId);
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(removal.id)),
      "not verified": hasRow(db, users, and(seller, users.verified)),
    },
    [
      db.update(users).set({ verified: false }).where(seller),
      takeBackNotification(db, removal.targetId, `verification ${removal.targetId}`),
      addActivityOf(db, admin, "undid verification", users, users.email, seller),
      markUndone(db, removal),
    ],
  );
}

type RoleChange = "appointment" | "withdrawal";

const actions = { appointment: "appointed moderator", withdrawal: "withdrew moderator" } as const;
const opposite = { appointment: "withdrawal", withdrawal: "appointment" } as const;
const paths = { appointment: "/manage/moderation", withdrawal: "/manage/account" };

/**
 * Makes an account a moderator's, or takes the role back, and notifies its owner. Administrators need no appointment, and
 * a suspended account gets none. Moderators' decisions stay when they lose the role.
 *
 * The change can be undone for ten minutes.
 */
export async function changeModerator(
  db: Db,
  admin: Viewer,
  userId: string,
  kind: RoleChange,
): Promise<RemovalOutcome<"not possible">> {
  const removalId = timeOrderedId();
  const now = new Date();
  const user = eq(users.id, userId);
  const notification = notificationValues(kind, {
    userId: users.id,
    subject: users.name,
    path: paths[kind],
    event: `${kind} ${removalId}`,
  });
  const refusal = await batchUnless(
    db,
    { "not possible": hasRow(db, users, canChange(db, admin, userId, kind)) },
    [
      addRemoval(db, admin, kind, { id: removalId, targetId: userId, createdAt: now }),
      db
        .update(users)
        .set({ moderatorSince: kind === "appointment" ? now : null })
        .where(user),
      addActivityOf(db, admin, actions[kind], users, users.email, user, removalId),
      db.insert(notifications).select(db.select(notification).from(users).where(user)).onConflictDoNothing(),
      ...stopRoleEmails(db, userId, kind, now),
    ],
  );
  return refusal ? { refusal } : { removalId };
}

/** Statements: a change of the role that ends another before the email about that has no email either. */
function stopRoleEmails(db: Db, userId: string, kind: RoleChange, now: Date) {
  const stop = (changed: RoleChange, condition: SQL | undefined) =>
    db
      .update(notifications)
      .set({ emailDoneAt: now, emailOutcome: "undone" })
      .where(
        and(
          eq(notifications.userId, userId),
          eq(notifications.kind, changed),
          isNull(notifications.emailDoneAt),
          condition,
        ),
      );
  const ended = alias(notifications, "ended");
  const isStopped = and(
    eq(ended.userId, userId),
    eq(ended.kind, opposite[kind]),
    eq(ended.emailOutcome, "undone"),
    eq(ended.emailDoneAt, now),
  );
  return [stop(opposite[kind], undefined), stop(kind, hasRow(db, ended, isStopped))];
}

/** A statement: a change of the role is undone, so that the email that it stopped waits again. */
function resumeRoleEmail(db: Db, userId: string, kind: RoleChange, changedAt: Date) {
  return db
    .update(notifications)
    .set({ emailDoneAt: null, emailOutcome: null })
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.kind, opposite[kind]),
        eq(notifications.emailOutcome, "undone"),
        eq(notifications.emailDoneAt, changedAt),
      ),
    );
}

export const appointmentUndo: UndoHandler = {
  undo: undoModeratorChange,
  isUndone: (db, id) => isUser(db, id, isNull(users.moderatorSince)),
  texts: {
    undone: "The user isn’t a moderator.",
    many: "appointments undone",
    impossible: "We can’t undo this: the role has changed since.",
  },
};

export const withdrawalUndo: UndoHandler = {
  undo: undoModeratorChange,
  isUndone: (db, id) => isUser(db, id, isNotNull(users.moderatorSince)),
  texts: {
    undone: "The user is a moderator again.",
    many: "withdrawals undone",
    impossible: "We can’t undo this: the role has changed since, or the account is suspended.",
  },
};

/** Takes an appointment or a withdrawal back, with its notification, unless the role has changed since. */
async function undoModeratorChange(db: Db, admin: Viewer, { id }: Pick<Removal, "id">) {
  const [removal] = await db.select().from(removals).where(isNotUndone(id));
  if (removal?.kind !== "appointment" && removal?.kind !== "withdrawal") return "undone before";
  const { kind, targetId, createdAt } = removal;
  const wasAppointed = kind === "appointment";
  const now = new Date();
  const user = eq(users.id, targetId);
  const isUnchanged = and(
    canChange(db, admin, targetId, wasAppointed ? "withdrawal" : "appointment"),
    wasAppointed ? eq(users.moderatorSince, createdAt) : undefined,
  );
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(id)),
      "changed since": hasRow(db, users, isUnchanged),
    },
    [
      db
        .update(users)
        .set({ moderatorSince: wasAppointed ? null : now })
        .where(user),
      takeBackNotification(db, targetId, `${kind} ${id}`, paths.withdrawal),
      resumeRoleEmail(db, targetId, kind, createdAt),
      addActivityOf(db, admin, "undid role change", users, users.email, user),
      markUndone(db, { id }, now),
    ],
  );
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

/** Ends all sessions of a user, except those of the administrator; false if there was none. */
export async function endSessions(db: Db, admin: Viewer, userId: string): Promise<boolean> {
  const own = and(eq(sessions.userId, userId), ne(sessions.userId, admin.id));
  const hasSession = inArray(users.id, db.select({ id: sessions.userId }).from(sessions).where(own));
  const [, , ended] = await db.batch([
    db.insert(activity).select(
      db
        .select(activityValues(admin, "ended sessions", users.id, users.email))
        .from(users)
        .where(hasSession),
    ),
    db
      .update(users)
      .set(nextSessionVersion)
      .where(and(eq(users.id, userId), ne(users.id, admin.id))),
    db.delete(sessions).where(own).returning({ id: sessions.id }),
  ]);
  return ended.length > 0;
}

async function isUser(db: Db, id: string, condition: SQL): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, id), condition))) > 0;
}
