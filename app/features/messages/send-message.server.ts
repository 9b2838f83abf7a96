import { and, eq, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
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
import { dayMs } from "#app/time.ts";
import { isNewHere, isOpenAccount } from "../accounts/accounts.server.ts";
import { otherSideName, type Viewer } from "../accounts/viewer.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { deviceNameColumn, pictureColumns } from "../listings/listings.server.ts";
import {
  type ConversationTarget,
  conversationPath,
  type MessageRefusal,
  refusalOrder,
} from "./message.rules.ts";
import {
  conversationRefusals,
  type MessageLimits,
  messageRefusals,
  type RefusalConditions,
  refusalColumn,
} from "./message-refusals.server.ts";
import { isOpenToMessages } from "./order-contact.server.ts";
import {
  askAboutText,
  type ConfirmedWarnings,
  messagePlaceColumns,
  type Question,
  type StoredMessagePlace,
} from "./warnings.server.ts";

/** "not found" if the viewer has no such conversation, or may not start one; a question is asked before anything is sent. */
export type SendOutcome =
  | { conversationId: string; refusal?: undefined; question?: undefined }
  | { conversationId?: undefined; refusal: MessageRefusal | "not found"; question?: undefined }
  | { conversationId?: undefined; refusal?: undefined; question: Question };

interface NewMessage extends ConfirmedWarnings {
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
  limits: MessageLimits = dailyLimits,
): Promise<SendOutcome> {
  const isTarget = eq(conversationParticipants.conversationId, conversationId);
  const question = await askAboutText(message.text, message, () => findPlace(db, viewer, conversationId));
  const id = timeOrderedId();
  const refusal = await batchUnless(
    db,
    {
      repeated: not(hasRow(db, messages, isSentWithKey(viewer, message))),
      "not found": and(isOpenAccount(db, viewer), participates(db, viewer, isTarget)),
      ...refusalsIn(db, viewer, isTarget, limits),
    },
    question ? [] : [...storeMessage(db, viewer, isTarget, id, message), notifyOfMessage(db, viewer, id)],
  );
  if (question && !refusal) return { question };
  return refusal ? repeatedOrRefused(db, viewer, message, refusal) : { conversationId };
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
  limits: MessageLimits = dailyLimits,
): Promise<SendOutcome> {
  const question = await askAboutText(message.text, message, () =>
    findFirstMessageContext(db, viewer, target),
  );
  const id = timeOrderedId();
  const isTarget = isAbout(db, viewer, target);
  const exists = participates(db, viewer, isTarget);
  const inConversation = refusalsIn(db, viewer, isTarget, limits);
  const isStartable = hasRow(db, phones, isTargetOf(db, viewer, target));
  const refusal = await batchUnless(
    db,
    {
      // Else it would start a conversation about another listing.
      repeated: not(hasRow(db, messages, isSentWithKey(viewer, message))),
      "not found": and(isOpenAccount(db, viewer), or(exists, isStartable)),
      ...inConversation,
      ...eachUnless(startRefusals(db, viewer, target, limits), (condition, refusal) =>
        // Nothing of the target is in it, and D1 takes so many parameters.
        refusal === "too many messages"
          ? not(condition)
          : and(
              inConversation[refusal],
              or(exists, not(hasRow(db, phones, and(isTargetOf(db, viewer, target), condition)))),
            ),
      ),
    },
    question ? [] : [...storeFirstMessage(db, viewer, target, id, message), notifyOfMessage(db, viewer, id)],
  );
  if (question && !refusal) return { question };
  if (refusal) return repeatedOrRefused(db, viewer, message, refusal);
  const started = await findConversationAbout(db, viewer, target);
  return started ? { conversationId: started } : { refusal: "not found" };
}

/** Where a message of the viewer would be sent; null if there is no such conversation. */
async function findPlace(db: Db, viewer: Viewer, conversationId: string): Promise<StoredMessagePlace | null> {
  const participant = conversationParticipants;
  const [place] = await db
    .select(messagePlaceColumns(db, conversations))
    .from(participant)
    .innerJoin(conversations, eq(conversations.id, participant.conversationId))
    .where(and(eq(participant.conversationId, conversationId), eq(participant.userId, viewer.id)));
  return place ?? null;
}

/** The same for a first message, as an offer is one, which may have a conversation already. */
export async function findFirstMessageContext(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
): Promise<StoredMessagePlace | null> {
  const existing = await findConversationAbout(db, viewer, target);
  if (existing) return findPlace(db, viewer, existing);
  const [place] = await db
    .select(messagePlaceColumns(db, { phoneId: sql`${phones.id}`, buyerId: buyerOf(db, viewer, target) }))
    .from(phones)
    .where(isTargetOf(db, viewer, target));
  return place ?? null;
}

/** What must hold: none of the reasons to refuse a message applies. */
function eachUnless(
  refusals: RefusalConditions,
  holds: (condition: SQL, refusal: MessageRefusal) => SQL | undefined,
) {
  const entries = refusalOrder.flatMap((refusal) => {
    const condition = refusals[refusal];
    return condition ? [[refusal, holds(condition, refusal)] as const] : [];
  });
  return Object.fromEntries(entries) as Partial<Record<MessageRefusal, SQL>>;
}

/** What must hold in a conversation. */
function refusalsIn(db: Db, viewer: Viewer, isTarget: SQL, limits: MessageLimits) {
  return eachUnless(conversationRefusals(db, viewer, conversationParticipants, limits), (condition) =>
    not(participates(db, viewer, and(isTarget, condition))),
  );
}

function participates(db: Db, viewer: Viewer, isTarget: SQL | undefined) {
  return hasRow(db, conversationParticipants, and(eq(conversationParticipants.userId, viewer.id), isTarget));
}

/** The conversation of an earlier request with the same idempotency key, or the refusal. */
async function repeatedOrRefused(
  db: Db,
  viewer: Viewer,
  message: NewMessage,
  refusal: MessageRefusal | "not found" | "repeated",
): Promise<SendOutcome> {
  const [sent] = await db
    .select({ conversationId: messages.conversationId })
    .from(messages)
    .where(isSentWithKey(viewer, message));
  return sent ?? { refusal: refusal === "repeated" ? "not found" : refusal };
}

/** Condition on `messages`: an earlier request with the same idempotency key sent it. */
export function isSentWithKey(viewer: Viewer, { formKey }: Pick<NewMessage, "formKey">): SQL | undefined {
  return formKey === null ? sql`false` : and(eq(messages.senderId, viewer.id), eq(messages.formKey, formKey));
}

/** The statements that store a message, and start its conversation unless there is one. */
export function storeFirstMessage(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
  id: string,
  message: NewMessage,
) {
  const conversationId = timeOrderedId();
  return [
    startConversation(db, viewer, target, conversationId),
    addParticipant(db, conversationId, "buyer", id),
    addParticipant(db, conversationId, "seller", id),
    ...storeMessage(db, viewer, isAbout(db, viewer, target), id, message),
  ];
}

/** Inserts the conversation unless there is one. */
function startConversation(db: Db, viewer: Viewer, target: ConversationTarget, id: string) {
  const conversation = db
    .select({
      id: valueFor(conversations.id, id),
      phoneId: phones.id,
      buyerId: sql`${buyerOf(db, viewer, target)}`.as("buyer_id"),
      productName: deviceNameColumn.as("product_name"),
      createdAt: valueFor(conversations.createdAt, new Date()),
    })
    .from(phones)
    .where(isTargetOf(db, viewer, target));
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
        lastMessageId: valueFor(conversationParticipants.lastMessageId, messageId),
        unread: valueFor(conversationParticipants.unread, 0),
      })
      .from(conversations)
      .innerJoin(phones, eq(phones.id, conversations.phoneId))
      .where(eq(conversations.id, conversationId)),
  );
}

/** The statements that store a message, unless one with its idempotency key was stored before. */
export function storeMessage(
  db: Db,
  viewer: Viewer,
  isTarget: SQL,
  id: string,
  { text, formKey }: NewMessage,
) {
  const message = db
    .select({
      id: valueFor(messages.id, id),
      conversationId: conversationParticipants.conversationId,
      senderId: sql`${conversationParticipants.userId}`.as("sender_id"),
      text: valueFor(messages.text, text),
      createdAt: valueFor(messages.createdAt, new Date()),
      formKey: valueFor(messages.formKey, formKey),
      hiddenById: valueFor(messages.hiddenById, null),
    })
    .from(conversationParticipants)
    .where(and(eq(conversationParticipants.userId, viewer.id), isTarget));
  return [
    db.insert(messages).select(message).onConflictDoNothing(),
    db
      .update(conversationParticipants)
      .set({
        lastMessageId: sql`max(${conversationParticipants.lastMessageId}, ${id})`,
        unread: sql`${conversationParticipants.unread} + (${ne(conversationParticipants.userId, viewer.id)})`,
      })
      .where(isInConversationOf(db, id)),
  ];
}

/** Condition on `conversationParticipants`: the message is in the conversation. */
function isInConversationOf(db: Db, messageId: string): SQL {
  const conversation = db
    .select({ id: messages.conversationId })
    .from(messages)
    .where(eq(messages.id, messageId));
  return inArray(conversationParticipants.conversationId, conversation);
}

/** Notifies the other side of a message, unless they have an unread notification of an earlier one. */
function notifyOfMessage(db: Db, viewer: Viewer, messageId: string) {
  const isRecipient = and(isInConversationOf(db, messageId), ne(conversationParticipants.userId, viewer.id));
  const path = sql`${conversationPath("")} || ${conversationParticipants.conversationId}`;
  const isUnread = and(
    eq(notifications.userId, conversationParticipants.userId),
    isNull(notifications.readAt),
    eq(notifications.path, path),
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
        .where(and(isRecipient, not(hasRow(db, notifications, isUnread)))),
    )
    .onConflictDoNothing();
}

/** Finds what a first message would be about, and why the viewer cannot send it; null if there is no such target. */
export async function findConversationStart(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
  limits: MessageLimits = dailyLimits,
) {
  const [start] = await db
    .select({
      productName: deviceNameColumn.as("product_name"),
      phoneId: phones.id,
      status: phones.status,
      isRemoved: isNotNull(phones.hiddenById).mapWith(Boolean),
      isHidden: sql<number>`coalesce(${hiddenByModerators(db)}, 0)`.mapWith(Boolean).as("is_hidden"),
      ...pictureColumns,
      name: users.name,
      otherIsNew: isNewHere(db, users).mapWith(Boolean).as("is_new_here"),
      isSeller: eq(phones.sellerId, viewer.id).mapWith(Boolean).as("is_seller"),
      refusal: refusalColumn(startRefusals(db, viewer, target, limits)),
    })
    .from(phones)
    .leftJoin(users, and(eq(users.id, otherSide(db, viewer, target)), isNull(users.removalId)))
    .where(isTargetOf(db, viewer, target));
  if (!start) return null;
  const { name, isSeller, ...facts } = start;
  return { ...facts, other: otherSideName(name, !isSeller) };
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
  const isPhone = eq(phones.id, phoneOf(db, target, isOpenToMessages(db)));
  if ("phone" in target) return and(isPhone, isNull(phones.hiddenById));
  const buyer = buyerOf(db, viewer, target);
  return and(isPhone, or(eq(phones.sellerId, viewer.id), sql`${buyer} = ${viewer.id}`));
}

/** When the viewer may not start a conversation, as conditions on `phones`. */
export function startRefusals(
  db: Db,
  viewer: Viewer,
  target: ConversationTarget,
  { MAX_NEW_CONVERSATIONS_A_DAY }: MessageLimits = dailyLimits,
): RefusalConditions {
  const refusals = messageRefusals(db, viewer, otherSide(db, viewer, target));
  if ("order" in target) return refusals;
  return {
    ...refusals,
    "own listing": eq(phones.sellerId, viewer.id),
    sold: eq(phones.status, "sold"),
    "too many conversations": sql`coalesce((select ${conversations.createdAt} from ${conversations}
      where ${conversations.buyerId} = ${viewer.id}
      order by ${conversations.id} desc limit 1 offset ${MAX_NEW_CONVERSATIONS_A_DAY - 1}) > ${Date.now() - dayMs}, 0)`,
  };
}

/** The buyer of the conversation: who asks, or who placed the order. */
export function buyerOf(db: Db, viewer: Viewer, target: ConversationTarget): SQL {
  if ("phone" in target) return sql`${viewer.id}`;
  return sql`(${db.select({ id: orders.buyerId }).from(orders).where(eq(orders.id, target.order))})`;
}

function phoneOf(db: Db, target: ConversationTarget, condition?: SQL): SQL {
  if ("phone" in target) return sql`${target.phone}`;
  const isOrder = and(eq(orders.id, target.order), condition);
  return sql`(${db.select({ id: orders.phoneId }).from(orders).where(isOrder)})`;
}

function otherSide(db: Db, viewer: Viewer, target: ConversationTarget): SQL {
  if ("phone" in target) return sql`${phones.sellerId}`;
  return sql`iif(${phones.sellerId} = ${viewer.id}, ${buyerOf(db, viewer, target)}, ${phones.sellerId})`;
}
