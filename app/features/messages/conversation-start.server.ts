import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { conversationParticipants, conversations, orders, phones, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { type ConversationTarget, maxConversationsADay, otherName } from "./message.rules.ts";
import { messageRefusals, type RefusalConditions, refusalColumn } from "./message-refusals.server.ts";

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
export function isAbout(db: Db, viewer: Viewer, target: ConversationTarget): SQL {
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
export function isTargetOf(db: Db, viewer: Viewer, target: ConversationTarget): SQL | undefined {
  const isPhone = eq(phones.id, phoneOf(db, target, "active"));
  if ("phone" in target) return and(isPhone, isNull(phones.removalId));
  const buyer = buyerOf(db, viewer, target);
  return and(isPhone, or(eq(phones.sellerId, viewer.id), sql`${buyer} = ${viewer.id}`));
}

/** When the viewer may not start a conversation, as conditions on `phones`. */
export function startRefusals(db: Db, viewer: Viewer, target: ConversationTarget): RefusalConditions {
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
