import { and, desc, eq, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { orders, payments, phones } from "#app/db/schema.ts";
import { canBePaid } from "../accounts/accounts.server.ts";
import { warningQuestion } from "./message.rules.ts";
import { isOpenToMessages } from "./order-contact.server.ts";
import type { MessagePlace, WarningKind } from "./warnings.rules.ts";

/** What the database knows of where a message is sent. */
export type StoredMessagePlace = Omit<MessagePlace, "ownHost">;

/** What a sender was asked about, and what to say about it. */
export interface Question {
  asked: WarningKind[];
  text: string;
}

/** Of a message that may be asked about. */
export interface ConfirmedWarnings {
  /** The warnings that the sender was asked about and sends it with all the same. */
  confirmed?: string[];
  /** The site's own host, whose links are ordinary. */
  ownHost?: string;
}

/** Loaded on demand: most requests read no message. */
const loadRules = () => import("./warnings.rules.ts");

/** Columns that say where the messages between a buyer and a listing's seller are sent. */
export function messagePlaceColumns(
  db: Db,
  { phoneId, buyerId }: Record<"phoneId" | "buyerId", SQLWrapper>,
  now = new Date(),
) {
  const isOrder = and(
    sql`${orders.phoneId} = ${phoneId}`,
    sql`${orders.buyerId} = ${buyerId}`,
    isOpenToMessages(db, now),
  );
  const isPaidHere = db
    .select({ isPaidHere: hasRow(db, payments, eq(payments.orderId, orders.id)).as("is_paid_here") })
    .from(orders)
    .where(isOrder)
    .orderBy(desc(orders.id))
    .limit(1);
  // The id may be a column of `phones` itself.
  const listing = alias(phones, "messaged_listing");
  const seller = db.select({ id: listing.sellerId }).from(listing).where(sql`${listing.id} = ${phoneId}`);
  return {
    isBooked: hasRow(db, orders, isOrder).mapWith(Boolean).as("is_booked"),
    isProtected: sql`coalesce((${isPaidHere}), ${canBePaid(db, sql`(${seller})`)})`
      .mapWith(Boolean)
      .as("is_protected"),
  };
}

/** Messages with why the viewer should be careful with each; null for their own and ordinary ones. */
export async function withWarnings<Message extends { text: string; isOwn: boolean }>(
  messages: Message[],
  place: StoredMessagePlace,
  ownHost: string,
): Promise<(Message & { warning: string | null })[]> {
  const { warningFor } = await loadRules();
  return messages.map((message) => ({
    ...message,
    warning: message.isOwn ? null : warningFor(message.text, { ...place, ownHost }),
  }));
}

/**
 * What the sender of a message is asked before it is sent: about each warning once. Null if nothing is to be asked. A
 * refusal goes first, and so does the answer to a request that was sent before.
 *
 * @param findPlace null if there is no such place, which is refused
 */
export async function askAboutText(
  text: string,
  { confirmed = [], ownHost = "" }: ConfirmedWarnings,
  findPlace: () => Promise<StoredMessagePlace | null>,
): Promise<Question | null> {
  const { isSuspect, senderWarning, warningsOf } = await loadRules();
  if (!isSuspect(text, ownHost)) return null;
  const place = await findPlace();
  if (!place) return null;
  const asked = warningsOf(text, { ...place, ownHost }).filter((kind) => !confirmed.includes(kind));
  const [gravest] = asked;
  return gravest ? { asked, text: warningQuestion(senderWarning(gravest)) } : null;
}

/** Those of some messages that may have a warning. */
export async function suspectsAmong<Message extends { text: string }>(
  messages: Message[],
  ownHost: string,
): Promise<Message[]> {
  const { isSuspect } = await loadRules();
  return messages.filter(({ text }) => isSuspect(text, ownHost));
}

/** In how many conversations each sender of some messages has one with a warning; none for the others. */
export async function countWarnedConversations(
  messages: (StoredMessagePlace & { senderId: string; conversationId: string; text: string })[],
  ownHost: string,
): Promise<Map<string, number>> {
  const { warningsOf } = await loadRules();
  const warned = new Map<string, Set<string>>();
  for (const { senderId, conversationId, text, ...place } of messages) {
    if (warningsOf(text, { ...place, ownHost }).length === 0) continue;
    warned.set(senderId, (warned.get(senderId) ?? new Set()).add(conversationId));
  }
  return new Map([...warned].map(([senderId, found]) => [senderId, found.size]));
}
