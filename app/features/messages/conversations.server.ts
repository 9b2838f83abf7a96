import { and, eq, gt, isNotNull, isNull, lte, ne, sql, sum } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  conversationParticipants,
  conversations,
  messages,
  notifications,
  orders,
  phones,
  users,
} from "#app/db/schema.ts";
import { dailyLimits } from "#app/server/config/daily-limits.ts";
import { isNewHere } from "../accounts/accounts.server.ts";
import { otherSideName, type Viewer } from "../accounts/viewer.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { pictureColumns } from "../listings/listings.server.ts";
import { conversationPath } from "./message.rules.ts";
import { conversationRefusals, type MessageLimits, refusalColumn } from "./message-refusals.server.ts";
import { messagePlaceColumns, withWarnings } from "./warnings.server.ts";

const conversationsPageSize = 25;
const messagesPageSize = 50;
const excerptLength = 200;

const participant = conversationParticipants;

/** Whether the viewer is the seller; else the other side is. */
const isSeller = (viewer: Viewer) => ne(conversations.buyerId, viewer.id).mapWith(Boolean).as("is_seller");

const listingColumns = (db: Db) => ({
  phoneId: conversations.phoneId,
  productName: conversations.productName,
  status: phones.status,
  isRemoved: sql<number>`${phones.id} is null or ${phones.hiddenById} is not null`.mapWith(Boolean),
  /** Of removed ones: whether it may be shown again. */
  isHidden: sql<number>`coalesce(${hiddenByModerators(db)}, 0)`.mapWith(Boolean).as("is_hidden"),
  ...pictureColumns,
});

/** A conversation in the list of one of its two people. */
export type ListedConversation = Awaited<ReturnType<typeof selectConversations>>[number];

/** A page of the viewer's conversations, the one with the newest message first. */
export async function listConversations(db: Db, viewer: Viewer, cursor: Cursor) {
  // One more than a page, to know whether there is another page.
  const rows = await selectConversations(db, viewer, cursor, conversationsPageSize + 1);
  return keysetPage(rows, cursor, conversationsPageSize, (row) => row.id);
}

/** Selects conversations of the viewer. Their `id` is that of the newest message, by which they are sorted. */
export async function selectConversations(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(participant.lastMessageId, cursor);
  const rows = await db
    .select({
      id: participant.lastMessageId,
      conversationId: participant.conversationId,
      ...listingColumns(db),
      name: users.name,
      isSeller: isSeller(viewer),
      unread: participant.unread,
      /** Empty if a moderator has hidden the message. */
      excerpt:
        sql<string>`iif(${messages.hiddenById} is null, substr(${messages.text}, 1, ${excerptLength}), '')`.as(
          "excerpt",
        ),
      isOwn: eq(messages.senderId, viewer.id).mapWith(Boolean).as("is_own"),
      otherIsNew: isNewHere(db, users).mapWith(Boolean).as("is_new_here"),
      createdAt: messages.createdAt,
    })
    .from(participant)
    .innerJoin(conversations, eq(conversations.id, participant.conversationId))
    .innerJoin(messages, eq(messages.id, participant.lastMessageId))
    .leftJoin(users, and(eq(users.id, participant.otherId), isNull(users.removalId)))
    .leftJoin(phones, eq(phones.id, conversations.phoneId))
    .where(and(eq(participant.userId, viewer.id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
  return rows.map(({ name, isSeller, ...row }) => ({ ...row, other: otherSideName(name, !isSeller) }));
}

export type Conversation = NonNullable<Awaited<ReturnType<typeof findConversation>>>;

/** Finds a conversation of the viewer with a page of its messages, oldest first; null if they have no such. */
export async function findConversation(
  db: Db,
  viewer: Viewer,
  conversationId: string,
  cursor: Cursor,
  limits: MessageLimits = dailyLimits,
  ownHost = "",
) {
  const [[found], rows] = await Promise.all([
    db
      .select({
        id: conversations.id,
        ...listingColumns(db),
        name: users.name,
        unread: participant.unread,
        isSeller: isSeller(viewer),
        orderId: orders.id,
        otherIsNew: isNewHere(db, users).mapWith(Boolean).as("is_new_here"),
        ...messagePlaceColumns(db, conversations),
        refusal: refusalColumn(conversationRefusals(db, viewer, participant, limits)),
      })
      .from(participant)
      .innerJoin(conversations, eq(conversations.id, participant.conversationId))
      .leftJoin(users, and(eq(users.id, participant.otherId), isNull(users.removalId)))
      .leftJoin(phones, eq(phones.id, conversations.phoneId))
      .leftJoin(
        orders,
        and(
          eq(orders.phoneId, conversations.phoneId),
          eq(orders.buyerId, conversations.buyerId),
          eq(orders.status, "active"),
        ),
      )
      .where(and(eq(participant.conversationId, conversationId), eq(participant.userId, viewer.id))),
    selectMessages(db, viewer, conversationId, cursor, messagesPageSize + 1),
  ]);
  if (!found) return null;
  const { name, isBooked, isProtected, ...conversation } = found;
  const page = keysetPage(rows, cursor, messagesPageSize, (row) => row.id);
  return {
    ...conversation,
    other: otherSideName(name, !found.isSeller),
    otherHasAccount: name !== null,
    messages: await withWarnings(page.rows.toReversed(), { isBooked, isProtected }, ownHost),
    older: page.next,
    newer: page.previous,
  };
}

export type Message = Conversation["messages"][number];

/** Finds messages of a conversation of the viewer with their warnings, newest first; null if they have no such. */
export async function findMessages(
  db: Db,
  viewer: Viewer,
  conversationId: string,
  cursor: Cursor,
  limit: number,
  ownHost: string,
): Promise<Message[] | null> {
  const [[place], rows] = await Promise.all([
    db
      .select(messagePlaceColumns(db, conversations))
      .from(participant)
      .innerJoin(conversations, eq(conversations.id, participant.conversationId))
      .where(and(eq(participant.conversationId, conversationId), eq(participant.userId, viewer.id))),
    selectMessages(db, viewer, conversationId, cursor, limit),
  ]);
  return place ? withWarnings(rows, place, ownHost) : null;
}

/** Selects messages of a conversation of the viewer, newest first. */
export function selectMessages(
  db: Db,
  viewer: Viewer,
  conversationId: string,
  cursor: Cursor,
  limit: number,
) {
  const { afterCursor, orderBy } = keyset(messages.id, cursor);
  return db
    .select({
      id: messages.id,
      /** Empty if a moderator has hidden it. */
      text: sql<string>`iif(${messages.hiddenById} is null, ${messages.text}, '')`.as("shown_text"),
      hidden: isNotNull(messages.hiddenById).mapWith(Boolean).as("is_hidden"),
      createdAt: messages.createdAt,
      isOwn: eq(messages.senderId, viewer.id).mapWith(Boolean),
      /** Of the viewer's own messages. */
      formKey: sql<string | null>`iif(${messages.senderId} = ${viewer.id}, ${messages.formKey}, null)`,
    })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        hasRow(
          db,
          participant,
          and(eq(participant.conversationId, messages.conversationId), eq(participant.userId, viewer.id)),
        ),
        afterCursor,
      ),
    )
    .orderBy(orderBy)
    .limit(limit);
}

export async function hasConversation(db: Db, viewer: Viewer, conversationId: string): Promise<boolean> {
  const isOwn = and(eq(participant.conversationId, conversationId), eq(participant.userId, viewer.id));
  return (await db.$count(participant, isOwn)) > 0;
}

/**
 * Marks the messages up to one as read, and the notification of them. What was read stays so; false if the viewer has no
 * such conversation, or it no such message.
 */
export async function markConversationAsRead(
  db: Db,
  viewer: Viewer,
  conversationId: string,
  lastReadId: string,
): Promise<boolean> {
  const isInConversation = eq(messages.conversationId, conversationId);
  const hasLastRead = hasRow(db, messages, and(isInConversation, eq(messages.id, lastReadId)));
  const later = and(isInConversation, gt(messages.id, lastReadId), ne(messages.senderId, viewer.id));
  const [read] = await db.batch([
    db
      .update(participant)
      .set({ unread: sql`min(${participant.unread}, (select count(*) from ${messages} where ${later}))` })
      .where(
        and(eq(participant.conversationId, conversationId), eq(participant.userId, viewer.id), hasLastRead),
      )
      .returning({ unread: participant.unread }),
    db
      .update(notifications)
      .set({ readAt: new Date() })
      .where(
        and(
          eq(notifications.userId, viewer.id),
          isNull(notifications.readAt),
          eq(notifications.path, conversationPath(conversationId)),
          lte(notifications.event, `message ${lastReadId}`),
          hasLastRead,
        ),
      ),
  ]);
  return read.length > 0;
}

/** Counts the unread messages of the viewer. @param shownPath the conversation that is being opened, which counts as read */
export async function countUnreadMessages(db: Db, viewer: Viewer, shownPath = ""): Promise<number> {
  const [row] = await db
    .select({ unread: sum(participant.unread).mapWith(Number) })
    .from(participant)
    .where(
      and(
        eq(participant.userId, viewer.id),
        gt(participant.unread, 0),
        ne(participant.conversationId, shownPath.slice(conversationPath("").length)),
      ),
    );
  return row?.unread ?? 0;
}

/** The id of the newest message in all conversations of the viewer; null without any. */
export async function newestMessageId(db: Db, viewer: Viewer): Promise<string | null> {
  const [row] = await db
    .select({ id: sql<string | null>`max(${participant.lastMessageId})` })
    .from(participant)
    .where(eq(participant.userId, viewer.id));
  return row?.id ?? null;
}
