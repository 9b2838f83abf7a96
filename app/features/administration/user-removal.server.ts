import { and, eq, isNull, ne, not, or } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { oneTimeTokens, personalAccessTokens, phones, removals, sessions, users } from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { hasPermission } from "../accounts/has-permission.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import {
  addRemoval,
  imeiIfStillFree,
  markUndone,
  type Removal,
  stillRemoved,
} from "../audit/removals.server.ts";

/**
 * Removes a user with their sessions, tokens and available phones. Returns the removal's id, to undo it.
 * Administrators cannot remove themselves, and of two who remove each other at the same time one fails.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function removeUser(
  db: Db,
  admin: Viewer,
  userId: string,
  formKey: string | null = null,
): Promise<string | null> {
  const removalId = timeOrderedId();
  const user = eq(users.id, userId);
  const actor = and(eq(users.id, admin.id), hasPermission("manage users"), isNull(users.removalId));
  const refusal = await batchUnless(
    db,
    {
      "not found": hasRow(db, users, and(user, isNull(users.removalId), ne(users.id, admin.id))),
      "not allowed": hasRow(db, users, actor),
    },
    [
      addRemoval(db, admin, "user", { id: removalId, targetId: userId, formKey }),
      db.update(users).set({ removalId }).where(user),
      db.delete(sessions).where(eq(sessions.userId, userId)),
      db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId)),
      db.delete(personalAccessTokens).where(eq(personalAccessTokens.userId, userId)),
      db
        .update(phones)
        .set({ removalId })
        .where(and(eq(phones.sellerId, userId), eq(phones.status, "available"), isNull(phones.removalId))),
      addActivityOf(db, admin, "deleted user", users, users.email, user),
    ],
  );
  return refusal ? null : removalId;
}

/** Restores a removed user and their phones; false if email address or Google account are in use by now. */
export async function restoreUser(db: Db, admin: Viewer, removal: Removal): Promise<boolean> {
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
  const refusal = await batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, stillRemoved(removal.id)),
      taken: hasRow(db, users, and(user, eq(users.removalId, removal.id), not(isTaken))),
    },
    [
      db.update(users).set({ removalId: null }).where(user),
      db
        .update(phones)
        .set({ removalId: null, imeiHash: imeiIfStillFree(db) })
        .where(eq(phones.removalId, removal.id)),
      addActivityOf(db, admin, "undid deletion", users, users.email, user),
      markUndone(db, removal),
    ],
  );
  return !refusal;
}
