import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, ne, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { allRows, exportBatchSize, keyset, numberedPage } from "#app/db/keyset.server.ts";
import {
  activity,
  oneTimeTokens,
  personalAccessTokens,
  phones,
  removals,
  sessions,
  users,
} from "#app/db/schema.ts";
import type { Role } from "#app/db/values.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import { emailEquals } from "../accounts/email.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { imeiIfStillFree, removalExists, removalValues, stillRemoved } from "../audit/removals.server.ts";
import { insertNotifications, notificationValues } from "../notifications/notify.server.ts";
import type { UserQuery } from "./tables.rules.ts";

const userColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  userType: users.userType,
  verified: users.verified,
};

export type UserRow = Awaited<ReturnType<typeof listUsers>>["rows"][number];

/** A page of the users, by default the oldest first. */
export function listUsers(db: Db, cursor: Cursor, query: UserQuery = { filters: {} }) {
  return numberedPage(db, cursor, {
    ...usersMatching(db, query),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({ ...userColumns, sortValue })
        .from(users)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** All users that match a table's query, in batches. */
export function exportUsers(db: Db, query: UserQuery) {
  return allRows(
    {
      ...usersMatching(db, query),
      read: ({ where, orderBy, limit, sortValue }) =>
        db
          .select({
            ...userColumns,
            emailVerifiedAt: users.emailVerifiedAt,
            createdAt: users.createdAt,
            sortValue,
          })
          .from(users)
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    },
    exportBatchSize,
  );
}

function usersMatching(db: Db, { filters: { q, role, verified, email }, order }: UserQuery) {
  return {
    table: users,
    where: and(
      isUser(role),
      q ? inArray(users.id, usersNamed(db, q)) : undefined,
      verified && (verified === "yes" ? isNotNull : isNull)(users.verified),
      email && (email === "yes" ? isNotNull : isNull)(users.emailVerifiedAt),
    ),
    order: order === "newest" ? desc : asc,
    sortBy:
      order === "name"
        ? sql`lower(${users.name})`
        : order === "email"
          ? sql`lower(${users.email})`
          : undefined,
  };
}

/** Selects users for the API, newest first. */
export function selectUsers(db: Db, only: "Seller" | undefined, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(users.id, cursor);
  return db
    .select(userColumns)
    .from(users)
    .where(and(isUser(only), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

function isUser(role?: Role) {
  return and(isNull(users.removalId), role && eq(users.userType, role));
}

/** Verifies a seller. Returns 0 if already verified; null if there is no such seller. */
export async function verifySeller(db: Db, admin: Viewer, sellerId: string): Promise<number | null> {
  const thisSeller = and(eq(users.id, sellerId), eq(users.userType, "Seller"), isNull(users.removalId));
  const unverified = and(thisSeller, isNull(users.verified));
  const notification = notificationValues("verification", {
    userId: users.id,
    subject: users.name,
    path: sql`'/sellers/' || ${users.id}`,
    event: `verification ${sellerId}`,
  });
  const [, , verified, found] = await db.batch([
    db.insert(activity).select(
      db
        .select(activityValues(admin, "verified seller", users.id, users.email))
        .from(users)
        .where(unverified),
    ),
    insertNotifications(db)
      .select(db.select(notification).from(users).where(unverified))
      .onConflictDoNothing(),
    db.update(users).set({ verified: "yes" }).where(unverified).returning({ id: users.id }),
    db.select({ id: users.id }).from(users).where(thisSeller),
  ]);
  return found.length > 0 ? verified.length : null;
}

/**
 * Removes a user with their sessions, tokens and available phones. Returns the removal's id, to undo it.
 * Administrators cannot remove themselves, and of two who remove each other at the same time one fails.
 */
export async function removeUser(db: Db, admin: Viewer, userId: string): Promise<string | null> {
  const removalId = timeOrderedId();
  const actor = alias(users, "actor");
  const actorIsStillAdmin = exists(
    db
      .select({ one: sql`1` })
      .from(actor)
      .where(and(eq(actor.id, admin.id), eq(actor.userType, "Admin"), isNull(actor.removalId))),
  );
  const [removed] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalValues(removalId, admin, "user", users.id))
          .from(users)
          .where(
            and(eq(users.id, userId), isNull(users.removalId), ne(users.id, admin.id), actorIsStillAdmin),
          ),
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
