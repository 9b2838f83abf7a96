import { and, desc, eq, ne } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import type { TargetKind } from "#app/db/enums.ts";
import { contentReports, messages, phones, reviews, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";

/** What a moderator decides about. */
export interface ModeratedTarget {
  kind: TargetKind;
  id: string;
  /** Of its device, or of its owner; empty if it is deleted. `targetLabel` has the words. */
  name: string;
  ownerId: string;
}

/** Condition on reports, signals or decisions: about somebody else. Staff sees nothing of its own cases, least of all who reported them. */
export function isNotOwn({ ownerId }: { ownerId: SQLiteColumn }, viewer: Pick<Viewer, "id">) {
  return ne(ownerId, viewer.id);
}

/**
 * Finds a target, also if it is hidden or removed, or if only its reports are left; null if there is none, or if
 * it is the viewer’s own. Moderators read no messages but those that somebody has reported.
 */
export async function findTarget(
  db: Db,
  viewer: Pick<Viewer, "id">,
  kind: TargetKind,
  id: string,
): Promise<ModeratedTarget | null> {
  const [[found], [reported]] = await Promise.all([
    selectTarget(db, kind, id),
    db
      .select({ ownerId: contentReports.ownerId })
      .from(contentReports)
      .where(and(eq(contentReports.targetKind, kind), eq(contentReports.targetId, id)))
      .orderBy(desc(contentReports.id))
      .limit(1),
  ]);
  if ((found ?? reported)?.ownerId === viewer.id) return null;
  if (found && (reported || kind !== "message")) return { kind, id, ...found };
  return reported ? { kind, id, name: "", ...reported } : null;
}

async function selectTarget(db: Db, kind: TargetKind, id: string) {
  if (kind === "listing") {
    return db
      .select({ ownerId: phones.sellerId, name: deviceNameColumn.as("name") })
      .from(phones)
      .where(eq(phones.id, id));
  }
  const { name } = users;
  if (kind === "seller") return db.select({ ownerId: users.id, name }).from(users).where(eq(users.id, id));
  if (kind === "message") {
    return db
      .select({ ownerId: messages.senderId, name })
      .from(messages)
      .innerJoin(users, eq(users.id, messages.senderId))
      .where(eq(messages.id, id));
  }
  return db
    .select({ ownerId: reviews.authorId, name })
    .from(reviews)
    .innerJoin(users, eq(users.id, reviews.authorId))
    .where(eq(reviews.id, id));
}
