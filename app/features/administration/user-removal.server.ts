import { and, eq, exists, isNull, ne, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  oneTimeTokens,
  personalAccessTokens,
  phones,
  removals,
  sessions,
  users,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { hasPermission } from "../accounts/has-permission.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { imeiIfStillFree, removalExists, removalValues, stillRemoved } from "../audit/removals.server.ts";

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
  const actor = alias(users, "actor");
  const actorMayStill = exists(
    db
      .select({ one: sql`1` })
      .from(actor)
      .where(and(eq(actor.id, admin.id), hasPermission("manage users", actor), isNull(actor.removalId))),
  );
  const [removed] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalValues(removalId, admin, "user", users.id, formKey))
          .from(users)
          .where(and(eq(users.id, userId), isNull(users.removalId), ne(users.id, admin.id), actorMayStill)),
      )
      .returning({ id: removals.id }),
    db
      .update(users)
      .set({ removalId })
      .where(and(eq(users.id, userId), removalExists(db, removalId))),
    db.delete(sessions).where(and(eq(sessions.userId, userId), removalExists(db, removalId))),
    db.delete(oneTimeTokens).where(and(eq(oneTimeTokens.userId, userId), removalExists(db, removalId))),
    db
      .delete(personalAccessTokens)
      .where(and(eq(personalAccessTokens.userId, userId), removalExists(db, removalId))),
    db
      .update(phones)
      .set({ removalId })
      .where(
        and(
          eq(phones.sellerId, userId),
          eq(phones.status, "available"),
          isNull(phones.removalId),
          removalExists(db, removalId),
        ),
      ),
    db.insert(activity).select(
      db
        .select(activityValues(admin, "deleted user", users.id, users.email))
        .from(users)
        .where(eq(users.removalId, removalId)),
    ),
  ]);
  return removed[0]?.id ?? null;
}

/** Restores a removed user and their phones; false if email address or Google account are in use by now. */
export async function restoreUser(db: Db, admin: Viewer, removalId: string): Promise<boolean> {
  const other = alias(users, "other");
  const identityTaken = db
    .select({ one: sql`1` })
    .from(other)
    .where(
      and(
        or(emailEquals(other.email, users.email), eq(other.googleSubject, users.googleSubject)),
        isNull(other.removalId),
      ),
    );
  const [restored] = await db.batch([
    db
      .update(users)
      .set({ removalId: null })
      .where(and(eq(users.removalId, removalId), notExists(identityTaken)))
      .returning({ id: users.id }),
    db
      .update(phones)
      .set({ removalId: null, imeiHash: imeiIfStillFree(db) })
      .where(
        and(
          eq(phones.removalId, removalId),
          exists(
            db
              .select({ one: sql`1` })
              .from(users)
              .where(and(eq(users.id, phones.sellerId), isNull(users.removalId))),
          ),
        ),
      ),
    db.insert(activity).select(
      db
        .select(activityValues(admin, "undid deletion", users.id, users.email))
        .from(removals)
        .innerJoin(users, eq(users.id, removals.targetId))
        .where(and(stillRemoved(removalId), isNull(users.removalId))),
    ),
    db
      .update(removals)
      .set({ undoneAt: new Date() })
      .where(
        and(
          stillRemoved(removalId),
          exists(
            db
              .select({ one: sql`1` })
              .from(users)
              .where(and(eq(users.id, removals.targetId), isNull(users.removalId))),
          ),
        ),
      ),
  ]);
  return restored.length > 0;
}
