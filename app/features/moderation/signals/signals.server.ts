import { and, desc, eq, inArray, isNull, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { TargetKind } from "#app/db/enums.ts";
import { decisions, messages, orders, phones, signals, signUpAddresses, users } from "#app/db/schema.ts";
import { usualPriceColumn } from "../../listings/fair-price.server.ts";
import { hidingDecisionKinds } from "../../listings/listing-tables.server.ts";
import { selectAttributes } from "../../listings/listings.server.ts";
import { privateDetailsIn } from "../../listings/private-details.rules.ts";
import { maxSignalRows, type Signal } from "./signal.rules.ts";

/** An asking price below this share of the usual is a signal. */
const lowShare = 0.4;
const minSameText = 3;
const maxSameTextLinks = 3;
export const minAccounts = 4;
const minSameMessages = 3;
const minOrdersOfPair = 2;
/** Orders of an account, on each side, that are compared. */
const maxTrades = 100;
/** Messages of a sender that are compared. */
const maxMessages = 100;
/** Shorter messages, like "Is it still available?", are the same by chance. */
const minMessageLength = 30;

const one = { one: sql`1` };

/** The signals of a listing or an account. */
export interface TargetSignals {
  targetId: string;
  ownerId: string;
  signals: Signal[];
}

/** Hints for the moderator beside a target, those of its owner included; none of them acts alone. */
export async function findSignals(db: Db, kind: TargetKind, id: string, ownerId: string): Promise<Signal[]> {
  const [[listing], [account], [stored]] = await Promise.all([
    kind === "listing" ? signalsOfListings(db, eq(phones.id, id), 1) : [],
    signalsOfAccounts(db, sql`(${ownerId})`),
    db
      .select({ found: signals.found })
      .from(signals)
      .where(and(eq(signals.targetKind, "seller"), eq(signals.targetId, ownerId))),
  ]);
  const now = account?.signals ?? [];
  // Its sign-ups are forgotten after 7 days, but the list of signals still leads here.
  const before = (stored?.found ?? []).filter((signal) => now.every(({ kind }) => kind !== signal.kind));
  return [...(listing?.signals ?? []), ...now, ...before];
}

/** The signals of the listings that meet a condition on `phones`. */
export async function signalsOfListings(db: Db, condition: SQL, limit: number): Promise<TargetSignals[]> {
  const other = alias(phones, "other");
  const sameText = db.select(one).from(sameTextListing).where(hasSameText(db)).limit(maxSignalRows);
  // A device that was sold elsewhere may be listed by its next owner.
  const hasSameImei = and(
    eq(other.imeiHash, phones.imeiHash),
    eq(other.soldElsewhere, false),
    ne(other.id, phones.id),
  );
  const rows = await db
    .select({
      targetId: phones.id,
      ownerId: phones.sellerId,
      cents: phones.sellingCents,
      brandName: phones.brandName,
      model: phones.model,
      sellingReason: phones.sellingReason,
      ...selectAttributes(["city"]),
      sameText: sql<number>`(select count(*) from (${sameText}))`.as("same_text"),
      isKnown: hasRow(db, other, hasSameImei).mapWith(Boolean).as("is_known"),
      usualCents: usualPriceColumn(db),
    })
    .from(phones)
    .where(condition)
    .limit(limit);
  return rows.map(({ targetId, ownerId, cents, ...row }) => {
    const found: Signal[] = [];
    if (row.sameText + 1 >= minSameText) found.push({ kind: "same text", figure: row.sameText });
    const usual = row.usualCents;
    if (usual && cents < usual * lowShare) {
      found.push({ kind: "low price", figure: Math.round((cents / usual) * 100) });
    }
    if (row.isKnown) found.push({ kind: "known IMEI", figure: 1 });
    // One by one, since a price after a size could pass for a number.
    const texts = [row.brandName, row.model, row.sellingReason, row.city ?? ""];
    const contacts = texts.flatMap(privateDetailsIn);
    if (contacts.length > 0) found.push({ kind: "contact details", figure: contacts.length });
    return { targetId, ownerId, signals: found };
  });
}

const sameTextListing = alias(phones, "same_text_listing");

/** Condition on `sameTextListing`: not deleted, of another seller, and with the same reason as that in `phones`. */
function hasSameText(db: Db) {
  const hides = and(
    eq(decisions.id, sameTextListing.hiddenById),
    inArray(decisions.kind, hidingDecisionKinds),
  );
  return and(
    sql`substr(${sameTextListing.sellingReason}, 1, 60) = substr(${phones.sellingReason}, 1, 60)`,
    sql`length(${sameTextListing.sellingReason}) >= 20`,
    eq(sameTextListing.sellingReason, phones.sellingReason),
    // A shop has one reason for all.
    ne(sameTextListing.sellerId, phones.sellerId),
    or(isNull(sameTextListing.hiddenById), hasRow(db, decisions, hides)),
  );
}

/** Some of the listings that a signal counts, for the moderator to compare. */
export async function listingsWithSameText(db: Db, kind: TargetKind, id: string) {
  if (kind !== "listing") return [];
  const { brandName, model } = sameTextListing;
  return db
    .select({
      id: sameTextListing.id,
      name: sql<string>`${brandName} || ' ' || ${model}`.as("same_text_name"),
      sellerName: users.name,
    })
    .from(phones)
    .innerJoin(sameTextListing, hasSameText(db))
    .innerJoin(users, eq(users.id, sameTextListing.sellerId))
    .where(eq(phones.id, id))
    .limit(maxSameTextLinks);
}

/** Selects the other side of the orders of an account, as buyer and as seller, but for the cancelled ones. */
function partnersOf(db: Db, userId: SQLWrapper) {
  const listing = alias(phones, "traded");
  const trades = (partner: SQLWrapper, account: SQLWrapper) =>
    db
      .select({ partner: sql<string>`${partner}`.as("partner") })
      .from(orders)
      .innerJoin(listing, eq(listing.id, orders.phoneId))
      .where(and(eq(orders.status, "active"), eq(account, userId)))
      .limit(maxTrades);
  const bought = trades(listing.sellerId, orders.buyerId);
  const sold = trades(orders.buyerId, listing.sellerId);
  return sql`select partner from (${bought}) union all select partner from (${sold})`;
}

/** The signals of accounts that are not removed. @param ids what `in` takes */
export async function signalsOfAccounts(db: Db, ids: SQL): Promise<TargetSignals[]> {
  const other = alias(signUpAddresses, "other");
  const others = db
    .select(one)
    .from(signUpAddresses)
    .innerJoin(
      other,
      and(eq(other.addressHash, signUpAddresses.addressHash), ne(other.userId, signUpAddresses.userId)),
    )
    .where(eq(signUpAddresses.userId, users.id))
    .limit(maxSignalRows);
  const newest = db
    .select({ conversationId: messages.conversationId, text: messages.text })
    .from(messages)
    .where(eq(messages.senderId, users.id))
    .orderBy(desc(messages.id))
    .limit(maxMessages);
  const repeated = sql`select count(distinct conversation_id) as conversations from (${newest})
    where length(text) >= ${minMessageLength} group by text`;
  const strangers = sql`select 1 from (${partnersOf(db, sql`pair.partner`)}) where partner <> ${users.id}`;
  const pair = sql`select min(partner) as partner, count(*) as orders, count(distinct partner) as partners
    from (${partnersOf(db, users.id)})`;
  const atAddress = sql`select distinct partner from (${partnersOf(db, users.id)})
    inner join ${signUpAddresses} as theirs on theirs.user_id = partner
    inner join ${signUpAddresses} as own on own.user_id = ${users.id} and own.address_hash = theirs.address_hash`;
  const rows = await db
    .select({
      id: users.id,
      ordersOfPair: sql<
        number | null
      >`(select orders from (${pair}) as pair where partners = 1 and not exists (${strangers}))`.as(
        "orders_of_pair",
      ),
      partnersAtAddress: sql<number>`(select count(*) from (${atAddress}))`.as("partners_at_address"),
      others: sql<number>`(select count(*) from (${others}))`.as("others"),
      repeated: sql<number | null>`(select max(conversations) from (${repeated}))`.as("repeated"),
    })
    .from(users)
    .where(and(sql`${users.id} in ${ids}`, isNull(users.removalId)));
  return rows.map(({ id, others, repeated, ordersOfPair, partnersAtAddress }) => {
    const found: Signal[] = [];
    if ((repeated ?? 0) >= minSameMessages) found.push({ kind: "same message", figure: repeated ?? 0 });
    if (others + 1 >= minAccounts) found.push({ kind: "many accounts", figure: others });
    if ((ordersOfPair ?? 0) >= minOrdersOfPair)
      found.push({ kind: "one partner", figure: ordersOfPair ?? 0 });
    if (partnersAtAddress > 0) found.push({ kind: "partner at address", figure: partnersAtAddress });
    return { targetId: id, ownerId: id, signals: found };
  });
}
