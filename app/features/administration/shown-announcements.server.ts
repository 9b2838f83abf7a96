import { and, desc, eq, gte, inArray, isNull, lte, or } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { announcements, phones, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { rolesThatMay } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** What a viewer reads today, newest first. */
export function findAnnouncements(db: Db, viewer: Viewer, now = new Date()) {
  const today = daysSinceEpoch(now);
  const isSeller = hasRow(db, users, and(eq(users.id, viewer.id), hasMySellings(db)));
  return db
    .select({ id: announcements.id, text: announcements.text })
    .from(announcements)
    .where(
      and(
        gte(announcements.lastDay, today),
        lte(announcements.firstDay, today),
        isNull(announcements.removalId),
        or(eq(announcements.audience, "all"), isSeller),
      ),
    )
    .orderBy(desc(announcements.createdAt))
    .limit(3);
}

/** Condition on `users`: the account has My Sellings. */
export function hasMySellings(db: Db) {
  return or(
    inArray(users.userType, rolesThatMay("see My Sells")),
    hasRow(db, phones, eq(phones.sellerId, users.id)),
  );
}

/** In days since January 1, 1970, in UTC. */
export const daysSinceEpoch = (time: Date) => Math.floor(time.getTime() / dayMs);
