import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { valueFor } from "#app/db/conditions.server.ts";
import { blocks, conversationParticipants, users } from "#app/db/schema.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import { otherSideName, type Viewer } from "../accounts/viewer.ts";

/** Blocks the other side of a conversation; false if the viewer has no such conversation. */
export async function blockOtherSide(db: Db, viewer: Viewer, conversationId: string): Promise<boolean> {
  const block = db
    .select({
      blockerId: conversationParticipants.userId,
      blockedId: sql`${conversationParticipants.otherId}`.as("blocked_id"),
      createdAt: valueFor(blocks.createdAt, new Date()),
    })
    .from(conversationParticipants)
    .where(and(isOwn(viewer, conversationId), isOpenAccount(db, viewer)));
  const [, own] = await db.batch([
    db.insert(blocks).select(block).onConflictDoNothing(),
    db
      .select({ id: conversationParticipants.userId })
      .from(conversationParticipants)
      .where(isOwn(viewer, conversationId)),
  ]);
  return own.length > 0;
}

/** Unblocks the other side of a conversation; false if the viewer has no such conversation. */
export async function unblockOtherSide(db: Db, viewer: Viewer, conversationId: string): Promise<boolean> {
  const other = db
    .select({ id: conversationParticipants.otherId })
    .from(conversationParticipants)
    .where(isOwn(viewer, conversationId));
  const [, own] = await db.batch([
    db.delete(blocks).where(and(eq(blocks.blockerId, viewer.id), sql`${blocks.blockedId} = (${other})`)),
    other,
  ]);
  return own.length > 0;
}

function isOwn(viewer: Viewer, conversationId: string) {
  return and(
    eq(conversationParticipants.conversationId, conversationId),
    eq(conversationParticipants.userId, viewer.id),
  );
}

/** Unblocks a person whom the viewer has blocked. */
export async function unblock(db: Db, viewer: Viewer, blockedId: string): Promise<void> {
  await db.delete(blocks).where(and(eq(blocks.blockerId, viewer.id), eq(blocks.blockedId, blockedId)));
}

export type BlockedPerson = Awaited<ReturnType<typeof listBlockedPeople>>[number];

const maxListed = 500;

/** The people whom the viewer has blocked, last first. */
export async function listBlockedPeople(db: Db, viewer: Viewer) {
  const rows = await db
    .select({ id: blocks.blockedId, name: users.name, userType: users.userType, createdAt: blocks.createdAt })
    .from(blocks)
    .leftJoin(users, and(eq(users.id, blocks.blockedId), isNull(users.removalId)))
    .where(eq(blocks.blockerId, viewer.id))
    .orderBy(desc(blocks.createdAt))
    .limit(maxListed);
  return rows.map(({ name, userType, ...row }) => ({
    ...row,
    name: otherSideName(name, userType === "Seller"),
  }));
}
