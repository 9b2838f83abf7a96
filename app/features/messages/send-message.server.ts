import { and, eq, inArray, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import {
  conversationParticipants,
  conversations,
  messages,
  notifications,
  orders,
  phones,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { notificationValues } from "../notifications/notify.server.ts";
import {
  type ConversationTarget,
  conversationPath,
  type MessageRefusal,
  maxConversationsADay,
  otherName,
} from "./message.rules.ts";
import {
  isNotRefused,
  messageRefusals,
  type RefusalConditions,
  refusalColumn,
} from "./message-refusals.server.ts";

/** "not found" if the viewer has no such conversation, or may not start one. */
export type SendOutcome =
  | { conversationId: string; refusal?: undefined }
  | { conversationId?: undefined; refusal: MessageRefusal | "not found" };

interface NewMessage {
  text: string;
  /** Idempotency key of the request: the same message sent again is stored once. */
  formKey: string | null;
}

/** Sends a message in a conversation of the viewer. */
export async function sendMessage(
  db: Db,
  viewer: Viewer,
  conversationId: string,
  message: NewMessage,
): Promise<SendOutcome> {
  const isTarget = eq(conversationParticipants.conversationId, conversationId);
  const id = timeOrderedId();
  const [stored] = await db.batch(storeMessage(db, viewer, isTarget, { ...message, id }));
  return stored[0] ?? (await findSent(db, viewer, message)) ?? findRefusal(db, viewer, isTarget);
}

/**
 * Sends a message to the seller of a listing or to the other side of an order. The first one starts the conversation; of
 * first messages sent at once, one does.
 */
export async function sendFirstMessage(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
  message: NewMessage,
): Promise<SendOutcome> {
  const id = timeOrderedId();
  const conversationId = timeOrderedId();
  const isTarget = isAbout(db, viewer, target);
  const [, , , stored] = await db.batch([
    startConversation(db, viewer, target, { ...message, id: conversationId }),
    addParticipant(db, conversationId, "buyer", id),
    addParticipant(db, conversationId, "seller", id),
    ...storeMessage(db, viewer, isTarget, { ...message, id }),
  ]);
  const sent = stored[0] ?? (await findSent(db, viewer, message));
  if (sent) return sent;
  const existing = await findRefusal(db, viewer, isTarget);
  if (existing.refusal !== "not found") return existing;
  const start = await findConversationStart(db, viewer, target);
  return { refusal: start?.refusal ?? "not found" };
}

/** Inserts the conversation unless there is one, or the message was sent before. */
function startConversation(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
  { id, formKey }: NewMessage & { id: string },
) {
  const conversation = db
    .select({
      id: sql`${id}`.as("id"),
      phoneId: phones.id,
      buyerId: sql`${buyerOf(db, viewer, target)}`.as("buyer_id"),
      productName: deviceNameColumn.as("product_name"),
      createdAt: sql`${Date.now()}`.as("created_at"),
    })
    .from(phones)
    .where(
      and(
        isTargetOf(db, viewer, target),
        isOpenAccount(db, viewer),
        isNotRefused(startRefusals(db, viewer, target)),
        formKey === null ? undefined : notExists(sentWith(db, viewer, formKey)),
      ),
    );
  return db.insert(conversations).select(conversation).onConflictDoNothing();
}

function addParticipant(db: Db, conversationId: string, role: "buyer" | "seller", messageId: string) {
  const [userId, otherId] =
    role === "buyer" ? [conversations.buyerId, phones.sellerId] : [phones.sellerId, conversations.buyerId];
  return db.insert(conversationParticipants).select(
    db
      .select({
        conversationId: conversations.id,
        userId: sql`${userId}`.as("user_id"),
        otherId: sql`${otherId}`.as("other_id"),
        lastMessageId: sql`${messageId}`.as("last_message_id"),
        unread: sql`0`.as("unread"),
      })
      .from(conversations)
      .innerJoin(phones, eq(phones.id, conversations.phoneId))
      .where(eq(conversations.id, conversationId)),
  );
}

/** The statements of one batch; the other two take effect only if the message was inserted. */
function storeMessage(
  db: Db,
  viewer: Viewer,
  isTarget: SQL,
  { id, text, formKey }: NewMessage & { id: string },
) {
  const message = db
    .select({
      id: sql`${id}`.as("id"),
      conversationId: conversationParticipants.conversationId,
      senderId: sql`${conversationParticipants.userId}`.as("sender_id"),
      text: sql`${text}`.as("text"),
      createdAt: sql`${Date.now()}`.as("created_at"),
      formKey: sql`${formKey}`.as("form_key"),
      hiddenById: sql`null`.as("hidden_by_id"),
    })
    .from(conversationParticipants)
    .where(
      and(
        eq(conversationParticipants.userId, viewer.id),
        isTarget,
        isOpenAccount(db, viewer),
        isNotRefused(messageRefusals(db, viewer, conversationParticipants.otherId)),
      ),
    );
  const isStored = inArray(
    conversationParticipants.conversationId,
    db.select({ id: messages.conversationId }).from(messages).where(eq(messages.id, id)),
  );
  const isOther = ne(conversationParticipants.userId, viewer.id);
  return [
    db
      .insert(messages)
      .select(message)
      .onConflictDoNothing()
      .returning({ conversationId: messages.conversationId }),
    db
      .update(conversationParticipants)
      .set({
        lastMessageId: sql`max(${conversationParticipants.lastMessageId}, ${id})`,
        unread: sql`${conversationParticipants.unread} + (${isOther})`,
      })
      .where(isStored),
    notifyOfMessage(db, id, and(isStored, isOther)),
  ] as const;
}

/** Notifies the other side of a message, unless they have an unread notification of an earlier one. */
function notifyOfMessage(db: Db, messageId: string, isRecipient: SQL | undefined) {
  const path = sql`${conversationPath("")} || ${conversationParticipants.conversationId}`;
  const unreadNotification = db
    .select({ one: sql`1` })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, conversationParticipants.userId),
        isNull(notifications.readAt),
        sql`${notifications.path} = ${path}`,
      ),
    );
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("message", {
            userId: conversationParticipants.userId,
            subject: conversations.productName,
            path,
            event: `message ${messageId}`,
          }),
        )
        .from(conversationParticipants)
        .innerJoin(conversations, eq(conversations.id, conversationParticipants.conversationId))
        .where(and(isRecipient, notExists(unreadNotification))),
    )
    .onConflictDoNothing();
}

/** The message that an earlier request with the same idempotency key stored. */
async function findSent(db: Db, viewer: Viewer, { formKey }: NewMessage) {
  if (formKey === null) return undefined;
  const [sent] = await sentWith(db, viewer, formKey);
  return sent;
}

function sentWith(db: Db, viewer: Viewer, formKey: string) {
  return db
    .select({ conversationId: messages.conversationId })
    .from(messages)
    .where(and(eq(messages.senderId, viewer.id), eq(messages.formKey, formKey)));
}

/** Why a message was not stored in a conversation. */
async function findRefusal(db: Db, viewer: Viewer, isTarget: SQL) {
  const [participant] = await db
    .select({ refusal: refusalColumn(messageRefusals(db, viewer, conversationParticipants.otherId)) })
    .from(conversationParticipants)
    .where(and(eq(conversationParticipants.userId, viewer.id), isTarget));
  // The reason may have gone since.
  return { refusal: participant ? (participant.refusal ?? "not sent") : ("not found" as const) };
}

/** Finds what a first message would be about, and why the viewer cannot send it; null if there is no such target. */
export async function findConversationStart(db: Db, viewer: Viewer, target: ConversationTarget) {
  const [start] = await db
    .select({
      productName: deviceNameColumn.as("product_name"),
      phoneId: phones.id,
      status: phones.status,
      isRemoved: sql<number>`${phones.removalId} is not null`.mapWith(Boolean),
      isHidden: sql<number>`coalesce(${hiddenByModerators(db)}, 0)`.mapWith(Boolean).as("is_hidden"),
      image: phones.image,
      cover: phones.cover,
      deviceType: phones.deviceType,
      name: users.name,
      isSeller: sql<number>`${phones.sellerId} = ${viewer.id}`.mapWith(Boolean).as("is_seller"),
      refusal: refusalColumn(startRefusals(db, viewer, target)),
    })
    .from(phones)
    .leftJoin(users, and(eq(users.id, otherSide(db, viewer, target)), isNull(users.removalId)))
    .where(isTargetOf(db, viewer, target));
  if (!start) return null;
  const { name, isSeller, ...facts } = start;
  return { ...facts, other: otherName(name, !isSeller) };
}

/** The id of the viewer's conversation about a target; null if there is none yet. */
export async function findConversationAbout(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
): Promise<string | null> {
  const [participant] = await db
    .select({ id: conversationParticipants.conversationId })
    .from(conversationParticipants)
    .where(and(eq(conversationParticipants.userId, viewer.id), isAbout(db, viewer, target)));
  return participant?.id ?? null;
}

/** Condition on `conversationParticipants`: the conversation is about the target. */
function isAbout(db: Db, viewer: Viewer, target: ConversationTarget): SQL {
  return inArray(
    conversationParticipants.conversationId,
    db
      .select({ id: conversations.id })
      .from(conversations)
      .where(
        and(
          eq(conversations.phoneId, phoneOf(db, target)),
          eq(conversations.buyerId, buyerOf(db, viewer, target)),
        ),
      ),
  );
}

/** Condition on `phones`: the target is one that the viewer may start a conversation about, unless refused. */
function isTargetOf(db: Db, viewer: Viewer, target: ConversationTarget): SQL | undefined {
  const isPhone = eq(phones.id, phoneOf(db, target, "active"));
  if ("phone" in target) return and(isPhone, isNull(phones.removalId));
  const buyer = buyerOf(db, viewer, target);
  return and(isPhone, or(eq(phones.sellerId, viewer.id), sql`${buyer} = ${viewer.id}`));
}

/** When the viewer may not start a conversation, as conditions on `phones`. */
function startRefusals(db: Db, viewer: Viewer, target: ConversationTarget): RefusalConditions {
  const refusals = messageRefusals(db, viewer, otherSide(db, viewer, target));
  if ("order" in target) return refusals;
  return {
    ...refusals,
    "own listing": eq(phones.sellerId, viewer.id),
    sold: eq(phones.status, "sold"),
    "too many conversations": sql`coalesce((select ${conversations.createdAt} from ${conversations}
      where ${conversations.buyerId} = ${viewer.id}
      order by ${conversations.id} desc limit 1 offset ${maxConversationsADay - 1}) > ${Date.now() - dayMs}, 0)`,
  };
}

/** The buyer of the conversation: who asks, or who placed the order. */
export function buyerOf(db: Db, viewer: Viewer, target: ConversationTarget): SQL {
  if ("phone" in target) return sql`${viewer.id}`;
  return sql`(${db.select({ id: orders.buyerId }).from(orders).where(eq(orders.id, target.order))})`;
}

function phoneOf(db: Db, target: ConversationTarget, status?: "active"): SQL {
  if ("phone" in target) return sql`${target.phone}`;
  const isOrder = and(eq(orders.id, target.order), status && eq(orders.status, status));
  return sql`(${db.select({ id: orders.phoneId }).from(orders).where(isOrder)})`;
}

function otherSide(db: Db, viewer: Viewer, target: ConversationTarget): SQL {
  if ("phone" in target) return sql`${phones.sellerId}`;
  return sql`iif(${phones.sellerId} = ${viewer.id}, ${buyerOf(db, viewer, target)}, ${phones.sellerId})`;
}
