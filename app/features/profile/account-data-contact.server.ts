import { and, eq, isNull, lte, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  contentReports,
  conversationParticipants,
  conversations,
  decisions,
  emailOptOuts,
  messages,
  reports,
  reviews,
  users,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { listBlockedPeople } from "../messages/blocks.server.ts";
import { otherName } from "../messages/message.rules.ts";
import { selectNotifications } from "../notifications/notifications.server.ts";

/** Reviews by the user, or the published ones about them. */
export function reviewsOf(
  db: Db,
  { id }: Viewer,
  side: "authorId" | "subjectId",
  cursor: Cursor,
  limit: number,
) {
  const { afterCursor, orderBy } = keyset(reviews.id, cursor);
  const isPublished = side === "subjectId" ? lte(reviews.publishedAt, new Date()) : undefined;
  return db
    .select({
      id: reviews.id,
      orderId: reviews.orderId,
      authorRole: reviews.authorRole,
      stars: reviews.stars,
      text: reviews.text,
      createdAt: reviews.createdAt,
      editedAt: reviews.editedAt,
      reply: reviews.reply,
      repliedAt: reviews.repliedAt,
    })
    .from(reviews)
    .where(and(eq(reviews[side], id), isPublished, afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** With the name of the other person as the pages show it. */
export async function conversationsOf(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(conversations.id, cursor);
  const rows = await db
    .select({
      id: conversations.id,
      listingId: conversations.phoneId,
      productName: conversations.productName,
      isBuyer: sql<number>`${conversations.buyerId} = ${viewer.id}`.mapWith(Boolean).as("is_buyer"),
      name: users.name,
      createdAt: conversations.createdAt,
    })
    .from(conversationParticipants)
    .innerJoin(conversations, eq(conversations.id, conversationParticipants.conversationId))
    .leftJoin(users, and(eq(users.id, conversationParticipants.otherId), isNull(users.removalId)))
    .where(and(eq(conversationParticipants.userId, viewer.id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
  return rows.map(({ isBuyer, name, ...row }) => ({ ...row, with: otherName(name, isBuyer) }));
}

/** Messages that the user sent, or those of others that are not hidden; both are in the conversations. */
export function messagesOf(db: Db, { id }: Viewer, side: "sent" | "received", cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(messages.id, cursor);
  const isReceived = and(ne(messages.senderId, id), isNull(messages.hiddenById));
  return db
    .select({
      id: messages.id,
      conversationId: messages.conversationId,
      text: messages.text,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .innerJoin(
      conversationParticipants,
      and(
        eq(conversationParticipants.conversationId, messages.conversationId),
        eq(conversationParticipants.userId, id),
      ),
    )
    .where(and(side === "sent" ? eq(messages.senderId, id) : isReceived, afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

export async function blockedBy(db: Db, viewer: Viewer) {
  const people = await listBlockedPeople(db, viewer);
  return people.map(({ name, createdAt }) => ({ name, createdAt }));
}

export async function notificationsOf(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const rows = await selectNotifications(db, viewer, cursor, limit);
  return rows.map(({ path, ...row }) => row);
}

export async function optOutsOf(db: Db, { id }: Viewer) {
  const rows = await db
    .select({ kind: emailOptOuts.kind })
    .from(emailOptOuts)
    .where(eq(emailOptOuts.userId, id));
  return rows.map(({ kind }) => kind);
}

/** Reports of listings, people and reviews that the user sent. */
export function contentReportsOf(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(contentReports.id, cursor);
  return db
    .select({
      id: contentReports.id,
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      reason: contentReports.reason,
      details: contentReports.details,
      createdAt: contentReports.createdAt,
    })
    .from(contentReports)
    .where(and(eq(contentReports.reporterId, id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** Decisions of moderators that the user was notified of. */
export function decisionsAbout(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(decisions.id, cursor);
  return db
    .select({
      id: decisions.id,
      kind: decisions.kind,
      target: decisions.target,
      reason: decisions.reason,
      until: decisions.until,
      createdAt: decisions.createdAt,
      endedAt: decisions.endedAt,
      appeal: decisions.appeal,
      appealedAt: decisions.appealedAt,
    })
    .from(decisions)
    .where(and(eq(decisions.ownerId, id), ne(decisions.kind, "dismiss"), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

export function reportsOf(db: Db, { email }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(reports.id, cursor);
  return db
    .select({
      id: reports.id,
      name: reports.name,
      email: reports.email,
      details: reports.details,
      createdAt: reports.createdAt,
    })
    .from(reports)
    .where(and(emailEquals(reports.email, email), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}
