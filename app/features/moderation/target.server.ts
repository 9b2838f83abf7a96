import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, messages, phones, reviews, users } from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";

/** What a moderator decides about. */
export interface ModeratedTarget {
  kind: TargetKind;
  id: string;
  /** What pages call it: "Apple iPhone 13", "Review by Ann", "Deleted listing". */
  name: string;
  ownerId: string;
}

/**
 * Finds a target, also if it is hidden or removed, or if only its reports are left; null if there is none. Moderators
 * read no messages but those that somebody has reported.
 */
export async function findTarget(db: Db, kind: TargetKind, id: string): Promise<ModeratedTarget | null> {
  const [[found], [reported]] = await Promise.all([
    selectTarget(db, kind, id),
    db
      .select({ ownerId: contentReports.ownerId })
      .from(contentReports)
      .where(and(eq(contentReports.kind, kind), eq(contentReports.targetId, id)))
      .orderBy(desc(contentReports.id))
      .limit(1),
  ]);
  if (found && (reported || kind !== "message")) return { kind, id, ...found };
  return reported ? { kind, id, name: `Deleted ${kind}`, ...reported } : null;
}

async function selectTarget(db: Db, kind: TargetKind, id: string) {
  if (kind === "listing") {
    return db
      .select({
        ownerId: phones.sellerId,
        name: deviceNameColumn.as("name"),
      })
      .from(phones)
      .where(eq(phones.id, id));
  }
  if (kind === "seller") {
    return db.select({ ownerId: users.id, name: users.name }).from(users).where(eq(users.id, id));
  }
  if (kind === "message") {
    return db
      .select({ ownerId: messages.senderId, name: sql<string>`'Message from ' || ${users.name}`.as("name") })
      .from(messages)
      .innerJoin(users, eq(users.id, messages.senderId))
      .where(eq(messages.id, id));
  }
  return db
    .select({ ownerId: reviews.authorId, name: sql<string>`'Review by ' || ${users.name}`.as("name") })
    .from(reviews)
    .innerJoin(users, eq(users.id, reviews.authorId))
    .where(eq(reviews.id, id));
}
