import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, not, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, isOneOf } from "#app/db/conditions.server.ts";
import type { DecisionKind } from "#app/db/enums.ts";
import {
  conversations,
  decisions,
  messages,
  orders,
  phones,
  signals,
  signUpAddresses,
  unmatchedListings,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import {
  countWarnedConversations,
  messagePlaceColumns,
  suspectsAmong,
} from "../../messages/warnings.server.ts";
import type { Signal } from "./signal.rules.ts";
import { minAccounts, signalsOfAccounts, signalsOfListings, type TargetSignals } from "./signals.server.ts";

/** What one run looks at. */
const limits = {
  newListings: 300,
  numbers: 300,
  accounts: 200,
  messages: 1000,
  orders: 200,
  warnedSenders: 20,
};
/** Messages of a sender that are read for warnings, and the conversations with one that are a signal. */
const maxReadMessages = 100;
const minWarned = 3;
/** How often the job runs. */
const runMs = 10 * 60_000;
/** Signals of accounts are forgotten after so many days. */
const accountDays = 30;

/**
 * Stores the signals of new and edited listings, of new accounts and of those that have just written messages or
 * traded, and looks
 * again at a part of all listings, another in each run. Nothing follows from a signal but a row of the moderators' list.
 *
 * @param ownHost without it, only links to the brand's host are ordinary
 */
export async function searchSignals(db: Db, now = new Date(), ownHost = ""): Promise<void> {
  const queued = db
    .select({ id: unmatchedListings.phoneId })
    .from(unmatchedListings)
    .orderBy(desc(unmatchedListings.revision))
    .limit(limits.newListings);
  await checkListings(db, inArray(phones.id, queued), now);
  const part = await nextPart(db, now);
  if (part) await checkListings(db, part, now);
  const accounts = await signalsOfAccounts(db, suspectAccounts(db, now));
  const warned = await warnedSenders(db, now, ownHost);
  for (const { targetId, signals: found } of accounts) {
    const figure = warned.get(targetId) ?? 0;
    if (figure >= minWarned) found.push({ kind: "warned messages", figure });
  }
  await store(db, "seller", accounts, now);
  await forget(db, now);
}

async function checkListings(db: Db, condition: SQL, now: Date) {
  const listed = sql`${phones.listed} and ${condition}`;
  const checked = await signalsOfListings(db, listed, limits.numbers);
  await store(db, "listing", await withOneSameText(db, checked), now);
}

/**
 * Of listings that share a text with another seller, keeps the signal at one per seller: where it is stored, else at the
 * newest, and at none if a newer listing of another seller has it. Otherwise each row of an import, and each listing that
 * it has its text from, would be a case. Of decisions, only a dismissal covers the seller’s other listings with the text.
 */
async function withOneSameText(db: Db, checked: TargetSignals[]): Promise<TargetSignals[]> {
  const isSameText = ({ kind }: Signal) => kind === "same text";
  const ids = checked.filter(({ signals: found }) => found.some(isSameText)).map(({ targetId }) => targetId);
  if (ids.length === 0) return checked;
  const listing = { id: phones.id, sellerId: phones.sellerId, reason: phones.sellingReason };
  const copies = await db
    .select(listing)
    .from(phones)
    .where(isOneOf(phones.id, ids))
    .orderBy(desc(phones.id));
  const isStored = sql`exists (select 1 from json_each(${signals.found}) where value ->> 'kind' = 'same text')`;
  const signalled: ((typeof copies)[number] & { decision: DecisionKind | null })[] = await db
    .select({ ...listing, decision: decisions.kind })
    .from(signals)
    .innerJoin(phones, eq(phones.id, signals.targetId))
    .leftJoin(decisions, eq(decisions.id, signals.decisionId))
    .where(
      and(
        eq(signals.targetKind, "listing"),
        isStored,
        or(phones.listed, isNotNull(signals.decisionId)),
        isOneOf(phones.sellingReason, [...new Set(copies.map(({ reason }) => reason))]),
      ),
    )
    // What is dismissed comes first, and covers what is open.
    .orderBy(isNull(signals.decisionId), phones.id);
  const kept = new Set<string>();
  for (const copy of copies) {
    const same = signalled.filter(({ reason }) => reason === copy.reason);
    const covering = same.find(
      ({ sellerId, decision }) => sellerId === copy.sellerId && (decision === null || decision === "dismiss"),
    );
    const isDecided = same.some(({ id, decision }) => id === copy.id && decision !== null);
    const isOfNewer = same.some(({ id, sellerId }) => sellerId !== copy.sellerId && id > copy.id);
    if (!isDecided && (covering ? covering.id !== copy.id : isOfNewer)) continue;
    if (!covering && !isDecided) signalled.push({ ...copy, decision: null });
    kept.add(copy.id);
  }
  return checked.map((target) =>
    kept.has(target.targetId)
      ? target
      : { ...target, signals: target.signals.filter((signal) => !isSameText(signal)) },
  );
}

/** The listings whose turn it is by the clock, so that no cursor has to be stored; null without listings. */
async function nextPart(db: Db, now: Date): Promise<SQL | null> {
  const [last] = await db
    .select({ number: sql<number | null>`max(${phones.number})`.as("number") })
    .from(phones);
  if (!last?.number) return null;
  const parts = Math.ceil(last.number / limits.numbers);
  const start = (Math.floor(now.getTime() / runMs) % parts) * limits.numbers;
  return sql`${phones.number} > ${start} and ${phones.number} <= ${start + limits.numbers}`;
}

/** The newest accounts of addresses with many, and who wrote or traded since the run before the last. What `in` takes. */
function suspectAccounts(db: Db, now: Date): SQL {
  const crowded = db
    .select({ hash: signUpAddresses.addressHash })
    .from(signUpAddresses)
    .groupBy(signUpAddresses.addressHash)
    .having(sql`count(*) >= ${minAccounts}`);
  const ofCrowded = db
    .select({ id: signUpAddresses.userId })
    .from(signUpAddresses)
    .where(inArray(signUpAddresses.addressHash, crowded))
    .orderBy(desc(signUpAddresses.createdAt))
    .limit(limits.accounts);
  const since = firstIdAt(new Date(now.getTime() - 2 * runMs));
  const newest = db
    .select({ id: messages.senderId })
    .from(messages)
    .where(gt(messages.id, since))
    .orderBy(desc(messages.id))
    .limit(limits.messages);
  const trades = db
    .select({ buyerId: orders.buyerId, sellerId: phones.sellerId })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(gt(orders.id, since))
    .orderBy(desc(orders.id))
    .limit(limits.orders);
  return sql`(select user_id from (${ofCrowded}) union select sender_id from (${newest})
    union select buyer_id from (${trades}) union select seller_id from (${trades}))`;
}

/** In how many conversations the recipient is warned of messages, for those who have just sent one with a warning. */
async function warnedSenders(db: Db, now: Date, ownHost: string): Promise<Map<string, number>> {
  const newest = await db
    .select({ id: messages.id, text: messages.text })
    .from(messages)
    .where(gt(messages.id, firstIdAt(new Date(now.getTime() - 2 * runMs))))
    .orderBy(desc(messages.id))
    .limit(limits.messages);
  const suspects = (await suspectsAmong(newest, ownHost)).map(({ id }) => id);
  if (suspects.length === 0) return new Map();
  // Most messages with an address or a payment are ordinary where they were sent.
  const placed = await db
    .select({
      senderId: messages.senderId,
      conversationId: messages.conversationId,
      text: messages.text,
      ...messagePlaceColumns(db, conversations, now),
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(isOneOf(messages.id, suspects));
  const senders = [...(await countWarnedConversations(placed, ownHost))]
    .sort(([, one], [, other]) => other - one)
    .slice(0, limits.warnedSenders)
    .map(([id]) => id);
  if (senders.length === 0) return new Map();
  const ofSender = db
    .select({
      senderId: messages.senderId,
      conversationId: messages.conversationId,
      text: messages.text,
      place:
        sql<number>`row_number() over (partition by ${messages.senderId} order by ${messages.id} desc)`.as(
          "place",
        ),
    })
    .from(messages)
    .where(
      and(
        isOneOf(messages.senderId, senders),
        gt(messages.id, firstIdAt(new Date(now.getTime() - accountDays * dayMs))),
        isNull(messages.hiddenById),
      ),
    )
    .as("of_sender");
  const read = await db
    .select({
      senderId: ofSender.senderId,
      conversationId: ofSender.conversationId,
      text: ofSender.text,
      ...messagePlaceColumns(db, conversations, now),
    })
    .from(ofSender)
    .innerJoin(conversations, eq(conversations.id, ofSender.conversationId))
    .where(sql`${ofSender.place} <= ${maxReadMessages}`);
  return countWarnedConversations(read, ownHost);
}

/** A target whose signals are of a new kind is open again. Takes no bound parameter for each row. */
async function store(db: Db, kind: "listing" | "seller", checked: TargetSignals[], now: Date) {
  if (checked.length === 0) return;
  const isFound = ({ signals: found }: TargetSignals) => found.length > 0;
  const rows = checked
    .filter(isFound)
    .map(({ targetId, ownerId, signals: found }) => [timeOrderedId(), targetId, ownerId, found]);
  const without = checked.filter((target) => !isFound(target)).map(({ targetId }) => targetId);
  const hasNewKind = sql`exists (select 1 from json_each(excluded.found) as one where one.value ->> 'kind' not in
    (select other.value ->> 'kind' from json_each(${signals.found}) as other))`;
  // Bookings store these, also since the accounts were read; messages are only read when they are new.
  const found = sql`(select json_group_array(json(value)) from (
    select value from json_each(${signals.found}) where value ->> 'kind' = 'many reservations'
      or value ->> 'kind' = 'warned messages' and not exists (select 1 from json_each(excluded.found) as newer
        where newer.value ->> 'kind' = 'warned messages')
    union all select value from json_each(excluded.found)))`;
  const ifNew = (value: SQL, otherwise: SQL) => sql`iif(${hasNewKind}, ${value}, ${otherwise})`;
  await db.batch([
    db
      .insert(signals)
      .select(
        db
          .select({
            id: sql<string>`value ->> 0`.as("id"),
            targetKind: sql<typeof kind>`${kind}`.as("kind"),
            targetId: sql<string>`value ->> 1`.as("target_id"),
            ownerId: sql<string>`value ->> 2`.as("owner_id"),
            found: sql<[]>`value -> 3`.as("found"),
            createdAt: sql`${now.getTime()}`.as("created_at"),
            decisionId: sql<null>`null`.as("decision_id"),
          })
          .from(sql`json_each(${JSON.stringify(rows)})`)
          .where(sql`true`),
      )
      .onConflictDoUpdate({
        target: [signals.targetKind, signals.targetId],
        set: {
          id: ifNew(sql`excluded.id`, sql`${signals.id}`),
          found,
          createdAt: ifNew(sql`excluded.created_at`, sql`${signals.createdAt}`),
          decisionId: ifNew(sql`null`, sql`${signals.decisionId}`),
        },
        setWhere: sql`${signals.found} <> ${found}`,
      }),
    // Those of accounts stay for a while, since sign-ups are forgotten.
    ...(kind === "listing"
      ? [db.delete(signals).where(and(eq(signals.targetKind, kind), isOneOf(signals.targetId, without)))]
      : []),
  ]);
}

/** Deletes the signals of what is not listed any more, and old ones of accounts. A decision about them may be undone. */
async function forget(db: Db, now: Date) {
  const isHidden = and(isNotNull(signals.decisionId), ne(phones.status, "sold"));
  const hasListing = hasRow(db, phones, and(eq(phones.id, signals.targetId), or(phones.listed, isHidden)));
  const hasOwner = hasRow(db, users, and(eq(users.id, signals.ownerId), isNull(users.removalId)));
  const old = new Date(now.getTime() - accountDays * dayMs);
  await db
    .delete(signals)
    .where(
      or(
        not(hasOwner),
        and(eq(signals.targetKind, "listing"), not(hasListing)),
        and(eq(signals.targetKind, "seller"), lt(signals.createdAt, old)),
      ),
    );
}
