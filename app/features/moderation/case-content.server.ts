import { and, asc, desc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import {
  conversationParticipants,
  conversations,
  decisions,
  messages,
  phones,
  reviews,
  users,
} from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import { isSeller } from "../catalog/seller.server.ts";

/** Messages before and after a reported one. */
const messagesAround = 5;

/** A listing, review or message as a moderator sees it; none for a person and for what has been deleted. */
export async function selectContent(db: Db, kind: TargetKind, id: string, seesAccounts: boolean) {
  const [listing] = kind === "listing" ? await selectListing(db, id) : [];
  const [review] =
    kind === "review"
      ? await db
          .select({
            stars: reviews.stars,
            text: reviews.text,
            reply: reviews.reply,
            createdAt: reviews.createdAt,
            isHidden: sql<number>`${reviews.hiddenById} is not null`.mapWith(Boolean).as("is_hidden"),
          })
          .from(reviews)
          .where(eq(reviews.id, id))
      : [];
  const message = kind === "message" ? await selectMessage(db, id, seesAccounts) : null;
  const hasSellerPage = kind === "seller" && (await isSeller(db, id));
  return { listing: listing ?? null, review: review ?? null, message, hasSellerPage };
}

/** A message with those around it, oldest first; null if it has been deleted. */
async function selectMessage(db: Db, id: string, seesAccounts: boolean) {
  const conversationId = db.select({ id: messages.conversationId }).from(messages).where(eq(messages.id, id));
  const inConversation = eq(messages.conversationId, sql`(${conversationId})`);
  const sender = alias(users, "sender");
  const columns = {
    id: messages.id,
    text: messages.text,
    createdAt: messages.createdAt,
    isHidden: sql<number>`${messages.hiddenById} is not null`.mapWith(Boolean).as("is_hidden"),
    senderId: messages.senderId,
    senderName: sender.name,
  };
  const read = (condition: SQL, order: typeof asc, limit: number) =>
    db
      .select(columns)
      .from(messages)
      .leftJoin(sender, eq(sender.id, messages.senderId))
      .where(and(inConversation, condition))
      .orderBy(order(messages.id))
      .limit(limit);
  const [upTo, after, people, [listing]] = await Promise.all([
    read(lte(messages.id, id), desc, messagesAround + 1),
    read(gt(messages.id, id), asc, messagesAround),
    db
      .select({
        id: conversationParticipants.userId,
        name: users.name,
        email: seesAccounts ? users.email : sql<string | null>`null`.as("no_address"),
        isBuyer: eq(conversations.buyerId, conversationParticipants.userId).mapWith(Boolean).as("is_buyer"),
      })
      .from(conversationParticipants)
      .innerJoin(conversations, eq(conversations.id, conversationParticipants.conversationId))
      .leftJoin(users, and(eq(users.id, conversationParticipants.userId), isNull(users.removalId)))
      .where(eq(conversationParticipants.conversationId, sql`(${conversationId})`)),
    db
      .select({
        name: conversations.productName,
        phoneId: sql<string | null>`iif(${phones.removalId} is null, ${phones.id}, null)`.as("phone_id"),
      })
      .from(conversations)
      .leftJoin(phones, eq(phones.id, conversations.phoneId))
      .where(eq(conversations.id, sql`(${conversationId})`)),
  ]);
  const [reported] = upTo;
  if (reported?.id !== id || !listing) return null;
  return { isHidden: reported.isHidden, around: [...upTo.toReversed(), ...after], people, listing };
}

function selectListing(db: Db, id: string) {
  const hides = alias(decisions, "hides");
  return db
    .select({
      brandName: phones.brandName,
      model: phones.model,
      ram: phones.ram,
      rom: phones.rom,
      image: phones.image,
      cover: phones.cover,
      deviceType: phones.deviceType,
      sellingCents: phones.sellingCents,
      marketCents: phones.marketCents,
      sellingReason: phones.sellingReason,
      status: phones.status,
      createdAt: phones.createdAt,
      isListed: sql<number>`${phones.removalId} is null`.mapWith(Boolean).as("is_listed"),
      hiddenBy: sql<(typeof hides.$inferSelect)["kind"] | null>`${hides.kind}`.as("hidden_by"),
    })
    .from(phones)
    .leftJoin(hides, eq(hides.id, phones.removalId))
    .where(eq(phones.id, id));
}
