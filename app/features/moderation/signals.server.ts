import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { messages, phones, signUpAddresses } from "#app/db/schema.ts";
import type { ReportTarget } from "#app/db/values.ts";
import { fairPriceOfListing } from "../listings/fair-price.server.ts";

/** Rows that a signal counts at most. */
const maxCounted = 100;
/** An asking price below this share of the usual is a signal. */
const lowShare = 0.4;
const minSameText = 3;
const minAccounts = 4;
const minSameMessages = 3;
/** Shorter messages, like "Is it still available?", are the same by chance. */
const minMessageLength = 30;

/** Hints for the moderator beside a target; none of them acts alone. */
export async function findSignals(
  db: Db,
  kind: ReportTarget,
  id: string,
  ownerId: string,
): Promise<string[]> {
  const [listing, accounts, repeated] = await Promise.all([
    kind === "listing" ? signalsOfListing(db, id) : [],
    accountsFromSameAddress(db, ownerId),
    repeatedMessages(db, ownerId),
  ]);
  const others = accounts - 1;
  const burst =
    accounts >= minAccounts
      ? [`${counted(others)} other accounts were made from the same network address in the last 7 days.`]
      : [];
  const sameMessage =
    repeated >= minSameMessages
      ? [`The owner has sent the same message, word for word, in ${repeated} conversations.`]
      : [];
  return [...listing, ...sameMessage, ...burst];
}

async function signalsOfListing(db: Db, id: string): Promise<string[]> {
  const other = alias(phones, "other");
  const [[listing], fair, sameText, sameImei] = await Promise.all([
    db.select({ cents: phones.sellingCents }).from(phones).where(eq(phones.id, id)),
    fairPriceOfListing(db, id),
    db
      .select({ id: other.id })
      .from(phones)
      .innerJoin(
        other,
        and(
          sql`substr(${other.sellingReason}, 1, 60) = substr(${phones.sellingReason}, 1, 60)`,
          sql`length(${other.sellingReason}) >= 20`,
          eq(other.sellingReason, phones.sellingReason),
          ne(other.id, phones.id),
        ),
      )
      .where(eq(phones.id, id))
      .limit(maxCounted),
    db
      .select({ id: other.id })
      .from(phones)
      .innerJoin(other, and(eq(other.imeiHash, phones.imeiHash), ne(other.id, phones.id)))
      .where(and(eq(phones.id, id), isNotNull(phones.imeiHash)))
      .limit(1),
  ]);
  const usual = fair?.median;
  const signals: string[] = [];
  if (sameText.length + 1 >= minSameText) {
    signals.push(
      `${counted(sameText.length)} other listings have the same reason for selling, word for word.`,
    );
  }
  if (listing && usual && listing.cents < usual * lowShare) {
    const share = Math.round((listing.cents / usual) * 100);
    signals.push(`The price is ${share}% of what this model usually sells for.`);
  }
  if (sameImei.length > 0) signals.push("This IMEI was listed before, in a listing that was removed.");
  return signals;
}

async function accountsFromSameAddress(db: Db, userId: string): Promise<number> {
  const other = alias(signUpAddresses, "other");
  const rows = await db
    .select({ id: other.userId })
    .from(signUpAddresses)
    .innerJoin(other, eq(other.addressHash, signUpAddresses.addressHash))
    .where(eq(signUpAddresses.userId, userId))
    .limit(maxCounted);
  return rows.length;
}

/** In how many conversations the message stands that is repeated most among the newest ones of a sender. */
async function repeatedMessages(db: Db, senderId: string): Promise<number> {
  const newest = db
    .select({ conversationId: messages.conversationId, text: messages.text })
    .from(messages)
    .where(eq(messages.senderId, senderId))
    .orderBy(desc(messages.id))
    .limit(maxCounted)
    .as("newest");
  const inConversations = sql<number>`count(distinct ${newest.conversationId})`.as("conversations");
  const [most] = await db
    .select({ inConversations })
    .from(newest)
    .where(sql`length(${newest.text}) >= ${minMessageLength}`)
    .groupBy(newest.text)
    .orderBy(desc(inConversations))
    .limit(1);
  return most?.inConversations ?? 0;
}

const counted = (rows: number) => (rows >= maxCounted - 1 ? `${maxCounted - 1} or more` : String(rows));
