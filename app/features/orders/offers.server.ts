import {
  and,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, newId, valueFor } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { NotificationKind, OfferSide } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { keyset, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import {
  conversationParticipants,
  conversations,
  messages,
  notifications,
  offers,
  orders,
  phones,
  removals,
  sessions,
  users,
} from "#app/db/schema.ts";
import { offerTerms } from "#app/market.ts";
import { dailyLimits } from "#app/server/config/daily-limits.ts";
import { hourMs } from "#app/time.ts";
import { isActiveAccount, isOpenAccount } from "../accounts/accounts.server.ts";
import { otherSideName, type Viewer } from "../accounts/viewer.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { undoableSince } from "../audit/removals.server.ts";
import { deviceNameColumn, pictureColumns } from "../listings/listings.server.ts";
import { type MessageLimits, messageRefusals } from "../messages/message-refusals.server.ts";
import {
  findFirstMessageContext,
  isSentWithKey,
  startRefusals,
  storeFirstMessage,
  storeMessage,
} from "../messages/send-message.server.ts";
import {
  askAboutText,
  type ConfirmedWarnings,
  messagePlaceColumns,
  type Question,
} from "../messages/warnings.server.ts";
import {
  type BookedBy,
  isOpenOffer,
  isOpenOrMayReopen,
  type OfferIntent,
  type OfferRefusal,
  offerIntentsOf,
  offerMessage,
  offerRange,
  offerState,
  offersPath,
} from "./offer.rules.ts";
import { bookingBar, hasNotPaid, rebookingWait } from "./rebooking.server.ts";

/** Condition on `offers`: accepted, and the buyer can still book at its price. */
const isUsable = (now = new Date()) => and(eq(offers.answer, "accepted"), gt(offers.usableUntil, now));

/** Condition on `offers`: it was not answered, or not used, and can still be. */
export const isInTime = (now: Date) =>
  or(and(isNull(offers.answer), gt(offers.expiresAt, now)), isUsable(now));

/** Condition on `offers`: waits for an answer, or the buyer can book at its price. */
const isOpen = (db: Db) => and(isInTime(new Date()), isForSale(db));

/** The lowest price of a row of `phones` that holds for a buyer now, in cents. */
export function lowestPriceFor(db: Db, buyerId: string | SQLWrapper) {
  const accepted = db
    .select({ cents: sql`min(${offers.amountCents})` })
    .from(offers)
    .where(and(eq(offers.buyerId, buyerId), eq(offers.phoneId, phones.id), isUsable()));
  return sql<number>`min(${phones.sellingCents}, coalesce(${accepted}, ${phones.sellingCents}))`;
}

/** Condition on `phones`: the buyer could book at a price that was accepted, but not anymore. */
export function hadPrice(db: Db, buyerId: string, cents: number): SQL {
  const isOfBuyer = and(eq(offers.buyerId, buyerId), eq(offers.phoneId, phones.id));
  const hasExpired = and(eq(offers.answer, "accepted"), lte(offers.usableUntil, new Date()));
  return hasRow(db, offers, and(isOfBuyer, eq(offers.amountCents, cents), hasExpired));
}

interface NewOffer extends ConfirmedWarnings {
  amountCents: number;
  /** In the person's own words; empty for the usual ones. */
  text: string;
  /** Idempotency key of the request. */
  formKey: string | null;
}

type OfferOutcome =
  | { offerId: string; refusal?: undefined; question?: undefined }
  | {
      offerId?: undefined;
      refusal: OfferRefusal | "not found";
      /** What could be offered instead. */
      range?: { lowest: number; highest: number };
      question?: undefined;
    }
  | { offerId?: undefined; refusal?: undefined; question: Question };

/** Offers a price for a listing, with a message to its seller. Of offers made at once, one is open. */
export async function makeOffer(
  db: Db,
  buyer: Viewer,
  phoneId: string,
  { amountCents, text, formKey, ...confirmable }: NewOffer,
  limits: MessageLimits = dailyLimits,
): Promise<OfferOutcome> {
  const target = { phone: phoneId };
  const question = await askAboutText(text, confirmable, () => findFirstMessageContext(db, buyer, target));
  const id = timeOrderedId();
  const message = { text: text || offerMessage("buyer", amountCents), formKey };
  const onListing = (condition?: SQL) =>
    hasRow(db, phones, and(eq(phones.id, phoneId), isNull(phones.hiddenById), condition));
  const refusals = startRefusals(db, buyer, target, limits);
  const unless = (condition = sql`0`) => onListing(not(condition));
  const ofBuyer = and(eq(offers.buyerId, buyer.id), eq(offers.phoneId, phoneId));
  const [listing] = await db
    .select({ priceCents: phones.sellingCents })
    .from(phones)
    .where(eq(phones.id, phoneId));
  const range = listing ? offerRange(listing.priceCents) : null;
  const isInRange = range && amountCents >= range.lowest && amountCents <= range.highest;
  const refusal = await batchUnless<OfferRefusal | "sent before" | "not found">(
    db,
    {
      "sent before": isNew(db, buyer, formKey),
      "not found": and(onListing(), isOpenAccount(db, buyer)),
      "own listing": onListing(ne(phones.sellerId, buyer.id)),
      "not for sale": onListing(eq(phones.status, "available")),
      "no offers": onListing(sql`${phones.offersWelcome} is not 'No'`),
      "blocked by you": unless(refusals["blocked by you"]),
      unavailable: and(
        unless(refusals.unavailable),
        isActiveAccount(db, buyer.id),
        onListing(not(hasNotPaid(db, buyer.id, phones.sellerId))),
      ),
      "open offer": not(hasRow(db, offers, and(ofBuyer, isOpen(db)))),
      "used up": lt(db.$count(offers, and(ofBuyer, eq(offers.side, "buyer"))), offerTerms.perListing),
      // Not at a price that has changed since it was read.
      amount: onListing(isInRange && listing ? eq(phones.sellingCents, listing.priceCents) : sql`0`),
      "too many messages": unless(refusals["too many messages"]),
      "too many conversations": or(
        hasRow(
          db,
          conversations,
          and(eq(conversations.phoneId, phoneId), eq(conversations.buyerId, buyer.id)),
        ),
        unless(refusals["too many conversations"]),
      ),
    },
    question
      ? []
      : [
          ...storeFirstMessage(db, buyer, target, id, message),
          addOffer(db, id, "buyer", amountCents),
          notifyOfOffer(db, "seller", "offer made", id, amountCents),
        ],
  );
  if (question && !refusal) return { question };
  if (refusal === "amount") return range ? { refusal, range } : { refusal: "price too low" };
  // The batch has no room for one more condition.
  const hasDebt = refusal === "unavailable" && (await hasDebtFor(db, buyer, phoneId));
  return outcomeOf(db, buyer, id, hasDebt ? "not paid before" : refusal, formKey);
}

async function hasDebtFor(db: Db, buyer: Viewer, phoneId: string): Promise<boolean> {
  const isIt = and(eq(phones.id, phoneId), hasNotPaid(db, buyer.id, phones.sellerId));
  return (await db.$count(phones, isIt)) > 0;
}

/** Answers an offer of a buyer with another price, and a message. */
export async function counterOffer(
  db: Db,
  seller: Viewer,
  offerId: string,
  { amountCents, text, formKey: key, ...confirmable }: NewOffer,
): Promise<OfferOutcome> {
  const question = await askAboutText(text, confirmable, async () => {
    const isOwn = and(eq(offers.id, offerId), isOfferParty(seller.id));
    const [place] = await db.select(messagePlaceColumns(db, offers)).from(offers).where(isOwn);
    return place ?? null;
  });
  const id = timeOrderedId();
  // A page may have several forms with one key.
  const formKey = key && `${key} ${offerId}`;
  const message = { text: text || offerMessage("seller", amountCents), formKey };
  const conversation = db
    .select({ id: messages.conversationId })
    .from(messages)
    .where(eq(messages.id, offerId));
  const isConversation = eq(conversationParticipants.conversationId, sql`${conversation}`);
  const refusal = await batchUnless<OfferRefusal | "sent before" | "not found">(
    db,
    {
      "sent before": isNew(db, seller, formKey),
      ...answerConditions(db, seller, offerId, and(eq(offers.side, "buyer"), eq(offers.sellerId, seller.id))),
      "counter amount": onOffer(
        db,
        seller,
        offerId,
        and(lt(offers.amountCents, amountCents), isForSale(db, gt(phones.sellingCents, amountCents))),
      ),
      "too many messages": onOffer(
        db,
        seller,
        offerId,
        not(refusalsOf(db, seller)["too many messages"] ?? sql`0`),
      ),
    },
    question
      ? []
      : [
          db
            .update(offers)
            .set({ answer: "countered", answeredAt: new Date() })
            .where(eq(offers.id, offerId)),
          ...storeMessage(db, seller, isConversation, id, message),
          addOffer(db, id, "seller", amountCents),
          notifyOfOffer(db, "buyer", "offer countered", id, amountCents),
        ],
  );
  if (question && !refusal) return { question };
  return outcomeOf(db, seller, id, refusal, formKey);
}

/** Accepts or refuses an offer of the other side, or takes one's own back. A repeated answer succeeds again. */
export async function answerOffer(
  db: Db,
  viewer: Viewer,
  offerId: string,
  answer: "accepted" | "refused" | "withdrawn",
): Promise<OfferOutcome> {
  const isMaker = eq(makerId, viewer.id);
  const now = Date.now();
  // Side and amount of an offer never change.
  const [offer] = await db
    .select({
      side: offers.side,
      amountCents: offers.amountCents,
      phoneId: offers.phoneId,
      buyerId: offers.buyerId,
    })
    .from(offers)
    .where(and(eq(offers.id, offerId), isOfferParty(viewer.id)));
  if (!offer) return { refusal: "not found" };
  const { side, amountCents, phoneId, buyerId } = offer;
  const ofBuyer = and(eq(offers.phoneId, phoneId), eq(offers.buyerId, buyerId), eq(offers.side, "buyer"));
  const isRefused = answer === "refused" && side === "buyer";
  const isLast = isRefused && (await db.$count(offers, ofBuyer)) >= offerTerms.perListing;
  const prefix = side === "buyer" ? "" : "counter";
  const otherSide = side === "buyer" ? "seller" : "buyer";
  const told = answer === "withdrawn" ? otherSide : side;
  const refusal = await batchUnless<OfferRefusal | "not found">(
    db,
    {
      ...answerConditions(db, viewer, offerId, answer === "withdrawn" ? isMaker : not(isMaker)),
      "price lower":
        answer === "accepted"
          ? onOffer(db, viewer, offerId, isForSale(db, gt(phones.sellingCents, offers.amountCents)))
          : undefined,
    },
    [
      db
        .update(offers)
        .set({
          answer,
          answeredAt: new Date(now),
          usableUntil: answer === "accepted" ? new Date(now + offerTerms.bookingHours * hourMs) : null,
        })
        .where(eq(offers.id, offerId)),
      notifyOfOffer(db, told, `${prefix}offer ${answer}`, offerId, amountCents, isLast),
    ],
  );
  if (refusal === "answered") {
    const [found] = await db.select({ answer: offers.answer }).from(offers).where(eq(offers.id, offerId));
    if (found?.answer === answer) return { offerId };
  }
  return refusal ? { refusal } : { offerId };
}

const answers = { accept: "accepted", refuse: "refused", withdraw: "withdrawn" } as const;

/** Answers an offer by what a form or a request names. @param counter the other price, if that is the answer */
export function replyToOffer(
  db: Db,
  viewer: Viewer,
  offerId: string,
  intent: OfferIntent,
  counter: NewOffer,
): Promise<OfferOutcome> {
  return intent === "counter"
    ? counterOffer(db, viewer, offerId, counter)
    : answerOffer(db, viewer, offerId, answers[intent]);
}

const makerId = sql<string>`iif(${offers.side} = 'buyer', ${offers.buyerId}, ${offers.sellerId})`;

/** The other side of the viewer in a row of `offers`. */
export const otherSideId = (userId: string | SQLWrapper) =>
  sql<string>`iif(${offers.buyerId} = ${userId}, ${offers.sellerId}, ${offers.buyerId})`;

export const isOfferParty = (userId: string | SQLWrapper) =>
  or(eq(offers.buyerId, userId), eq(offers.sellerId, userId));

/** Condition: the offer is the viewer's or for them, and another condition on `offers` holds. */
function onOffer(db: Db, viewer: Viewer, offerId: string, condition?: SQL): SQL {
  return hasRow(db, offers, and(eq(offers.id, offerId), isOfferParty(viewer.id), condition));
}

/** Condition on `offers`: the device can be booked, and another condition on `phones` holds. */
function isForSale(db: Db, condition?: SQL): SQL {
  const isListing = and(eq(phones.id, offers.phoneId), isNull(phones.hiddenById));
  return hasRow(db, phones, and(isListing, eq(phones.status, "available"), condition));
}

function refusalsOf(db: Db, viewer: Viewer) {
  return messageRefusals(db, viewer, otherSideId(viewer.id));
}

/** What must hold for any answer. */
function answerConditions(db: Db, viewer: Viewer, offerId: string, isTurn: SQL | undefined) {
  const refusals = refusalsOf(db, viewer);
  const holds = (condition?: SQL) => onOffer(db, viewer, offerId, condition);
  return {
    "not found": and(holds(), isOpenAccount(db, viewer)),
    "not yours": holds(isTurn),
    answered: holds(isNull(offers.answer)),
    lapsed: holds(gt(offers.expiresAt, new Date())),
    "not for sale": holds(isForSale(db)),
    "blocked by you": holds(not(refusals["blocked by you"] ?? sql`0`)),
    "not paid before": holds(not(hasNotPaid(db, offers.buyerId, offers.sellerId))),
    unavailable: holds(not(isBarred(db))),
  };
}

/** Condition: no request with the key has sent anything. */
function isNew(db: Db, viewer: Viewer, formKey: string | null) {
  return not(hasRow(db, messages, isSentWithKey(viewer, { formKey })));
}

/** The offer that was made, now or by an earlier request with the same idempotency key, or why it was not. */
async function outcomeOf(
  db: Db,
  viewer: Viewer,
  id: string,
  refusal: OfferRefusal | "sent before" | "not found" | null,
  formKey: string | null,
): Promise<OfferOutcome> {
  if (!refusal) return { offerId: id };
  if (refusal !== "sent before") return { refusal };
  const [sent] = await db
    .select({ id: messages.id })
    .from(messages)
    .where(isSentWithKey(viewer, { formKey }));
  return sent ? { offerId: sent.id } : { refusal: "answered" };
}

/** A statement: the offer that a message carries. */
function addOffer(db: Db, messageId: string, side: OfferSide, amountCents: number) {
  const now = new Date();
  return db.insert(offers).select(
    db
      .select({
        id: messages.id,
        phoneId: conversations.phoneId,
        buyerId: conversations.buyerId,
        sellerId: phones.sellerId,
        side: valueFor(offers.side, side),
        amountCents: valueFor(offers.amountCents, amountCents),
        createdAt: valueFor(offers.createdAt, now),
        expiresAt: valueFor(offers.expiresAt, new Date(now.getTime() + offerTerms.answerHours * hourMs)),
        answer: valueFor(offers.answer, null),
        answeredAt: valueFor(offers.answeredAt, null),
        usableUntil: valueFor(offers.usableUntil, null),
      })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .innerJoin(phones, eq(phones.id, conversations.phoneId))
      .where(eq(messages.id, messageId)),
  );
}

/** A statement: notifies one of the two people of an offer, with its price. */
function notifyOfOffer(
  db: Db,
  side: OfferSide,
  kind: NotificationKind,
  offerId: string,
  amountCents: number,
  isLast = false,
) {
  const userId = side === "buyer" ? offers.buyerId : offers.sellerId;
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues(kind, {
            userId,
            subject: deviceNameColumn,
            details: { offeredCents: amountCents, ...(isLast && { isLast }) },
            path: offersPath,
            event: `${kind} ${offerId}`,
          }),
        )
        .from(offers)
        .innerJoin(phones, eq(phones.id, offers.phoneId))
        .where(eq(offers.id, offerId)),
    )
    .onConflictDoNothing();
}

/** Condition on `offers`: the buyer can book nothing from the seller, so that nobody answers. */
const isBarred = (db: Db) => sql`(${bookingBar(db, offers.buyerId, offers.sellerId)} is not null)`;

/** Condition on `offers`: a booking could come of it, were the device for sale. */
export const canBecomeBooking = (db: Db, now: Date) => and(isInTime(now), not(isBarred(db)));

/** A statement for the batch of a booking: notifies other buyers whose offer for the device could have become a booking. */
export function notifyOfLostOffers(db: Db, orderId: string) {
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("offer lost", {
            id: newId(),
            userId: offers.buyerId,
            subject: orders.productName,
            path: offersPath,
            event: sql`${`offer lost ${orderId} `} || ${offers.id}`,
          }),
        )
        .from(orders)
        .innerJoin(offers, and(eq(offers.phoneId, orders.phoneId), ne(offers.buyerId, orders.buyerId)))
        .where(and(eq(orders.id, orderId), canBecomeBooking(db, new Date()))),
    )
    .onConflictDoNothing();
}

/** Condition on `phones`: a removal hides it that can no longer be undone. */
function isRemovedForGood(db: Db) {
  const isTooLate = lte(removals.createdAt, undoableSince());
  return hasRow(db, removals, and(eq(removals.id, phones.hiddenById), isTooLate));
}

/** An offer as one of its two people sees it; prices in cents. */
export type Offer = Omit<Awaited<ReturnType<typeof selectOffers>>[number], "sortValue">;

/** The newest first by default. @param userId the viewer, also as a query */
async function selectOffers(
  db: Db,
  userId: string | SQLWrapper,
  {
    where,
    orderBy = [desc(offers.id)],
    limit = 100,
    sortValue = sql<string | null>`null`.as("sort_value"),
  }: Partial<PageQuery>,
) {
  const rows = await db
    .select({
      id: offers.id,
      phoneId: offers.phoneId,
      conversationId: conversations.id,
      productName: conversations.productName,
      side: offers.side,
      amountCents: offers.amountCents,
      createdAt: offers.createdAt,
      expiresAt: offers.expiresAt,
      answer: offers.answer,
      answeredAt: offers.answeredAt,
      usableUntil: offers.usableUntil,
      isBuyer: eq(offers.buyerId, userId).mapWith(Boolean).as("is_buyer"),
      priceCents: phones.sellingCents,
      /** The seller's own number, which nobody else sees. */
      ownNumber: sql<string | null>`iif(${offers.sellerId} = ${userId}, ${phones.ownNumber}, null)`.as(
        "own_number",
      ),
      bookedBy: sql<BookedBy | null>`case
        when ${orders.buyerId} = ${offers.buyerId} then 'buyer'
        when ${orders.id} is not null or ${phones.status} = 'reserved' or ${phones.status} = 'sold' and not ${phones.soldElsewhere} then 'others'
        when ${phones.id} is null or ${phones.hiddenById} is not null or ${phones.status} <> 'available' then 'nobody' end`.as(
        "gone_to",
      ),
      bookedAt: orders.createdAt,
      bookedCents: sql<
        number | null
      >`iif(${orders.buyerId} = ${offers.buyerId}, ${orders.priceCents}, null)`.as("booked_cents"),
      ...pictureColumns,
      name: users.name,
      orderId: sql<string | null>`iif(${orders.buyerId} = ${offers.buyerId}, ${orders.id}, null)`.as(
        "order_id",
      ),
      wait: rebookingWait(db, offers.buyerId, offers.phoneId).as("wait"),
      isBarred: sql`${isBarred(db)}`.mapWith(Boolean).as("is_barred"),
      mayComeBack: sql`${and(isNotNull(phones.id), not(isRemovedForGood(db)))}`
        .mapWith(Boolean)
        .as("may_come_back"),
      sortValue,
    })
    .from(offers)
    .innerJoin(messages, eq(messages.id, offers.id))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .leftJoin(phones, eq(phones.id, offers.phoneId))
    .leftJoin(users, and(eq(users.id, otherSideId(userId)), isNull(users.removalId)))
    // At most one: `orders_one_active_per_phone`.
    .leftJoin(orders, and(eq(orders.phoneId, offers.phoneId), eq(orders.status, "active")))
    .where(and(isOfferParty(userId), where))
    .orderBy(...orderBy)
    .limit(limit);
  return rows.map(({ isBuyer, name, expiresAt, answeredAt, usableUntil, bookedAt, wait, ...row }) => {
    const state = offerState({ ...row, expiresAt, answeredAt, usableUntil, bookedAt });
    const role: OfferSide = isBuyer ? "buyer" : "seller";
    return {
      ...row,
      role,
      state,
      other: otherSideName(name, isBuyer),
      /** When the state ends by itself. */
      until: isOpenOrMayReopen({ ...row, state }) ? (usableUntil ?? expiresAt) : null,
      /** The buyer's cancelled order, and when they can book again unless the seller lets them before; null if they can. */
      wait: state === "accepted" && !row.isBarred ? wait : null,
      intents: offerIntentsOf({ ...row, role, state }),
    };
  });
}

const acceptedKinds: NotificationKind[] = ["offer accepted", "counteroffer accepted"];

/** For the emails of accepted offers, by the event: until when a buyer who has cancelled the device has to wait. */
export async function findRebookingWaits(db: Db, notices: { kind: NotificationKind; event: string }[]) {
  const idOf = ({ kind, event }: (typeof notices)[number]) => event.slice(`${kind} `.length);
  const accepted = notices.filter(({ kind }) => acceptedKinds.includes(kind));
  if (accepted.length === 0) return new Map();
  const found = await db
    .select({ id: offers.id, wait: rebookingWait(db, offers.buyerId, offers.phoneId).as("wait") })
    .from(offers)
    .where(inArray(offers.id, accepted.map(idOf)));
  return new Map(
    accepted.map((notice) => [notice.event, found.find(({ id }) => id === idOf(notice))?.wait ?? null]),
  );
}

/** Condition on `offers`: the last one of its buyer for its listing, which says how the negotiation stands. */
function isLatest(db: Db) {
  const later = alias(offers, "later");
  const isLater = and(
    eq(later.buyerId, offers.buyerId),
    eq(later.phoneId, offers.phoneId),
    gt(later.id, offers.id),
  );
  return not(hasRow(db, later, isLater));
}

/** A page of the viewer's negotiations, each by its latest offer: the open ones first, each part with the newest first. */
export function listOffers(db: Db, viewer: Viewer, cursor: Cursor) {
  return numberedPage(db, cursor, {
    table: offers,
    where: and(isOfferParty(viewer.id), isLatest(db)),
    sortBy: sql`iif(${isOpen(db)}, 'open', 'earlier')`,
    read: (query) => selectOffers(db, viewer.id, query),
  });
}

/** Selects the viewer's offers for the API, newest first. */
export function selectOwnOffers(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(offers.id, cursor);
  return selectOffers(db, viewer.id, { where: afterCursor, orderBy: [orderBy], limit });
}

/** The offers in a conversation of the viewer, newest first. */
export const offersInConversation = (db: Db, viewer: Viewer, conversationId: string) =>
  selectOffers(db, viewer.id, { where: eq(messages.conversationId, conversationId) });

/** Counts the offers that the viewer can answer. */
export function countWaitingOffers(db: Db, viewer: Viewer): Promise<number> {
  const now = Date.now();
  const isForViewer = or(
    and(eq(offers.sellerId, viewer.id), eq(offers.side, "buyer")),
    and(eq(offers.buyerId, viewer.id), eq(offers.side, "seller")),
  );
  const isRecent = gte(offers.id, firstIdAt(new Date(now - offerTerms.answerHours * hourMs)));
  const isPending = and(isNull(offers.answer), gt(offers.expiresAt, new Date(now)));
  return db.$count(offers, and(isForViewer, isRecent, isPending, isForSale(db), not(isBarred(db))));
}

const offersOnListing = (db: Db, userId: string | SQLWrapper, phoneId: string) =>
  selectOffers(db, userId, { where: eq(offers.phoneId, phoneId) });

const openOfferOf = (found: Offer[]) => found.find((offer) => offer.role === "buyer" && isOpenOffer(offer));

const offersLeft = (found: Offer[]) =>
  offerTerms.perListing - found.filter(({ role, side }) => role === "buyer" && side === "buyer").length;

/** The buyer's open offer for a listing, and how many they can still make. */
export async function findOwnOffer(db: Db, buyer: Viewer, phoneId: string) {
  const found = await offersOnListing(db, buyer.id, phoneId);
  return { open: openOfferOf(found) ?? null, left: offersLeft(found) };
}

/** What a listing's page shows of offers by or to the user of a session. Does not check that the session is valid. */
export async function findListingOffers(db: Db, sessionId: string, phoneId: string) {
  const userId = db.select({ id: sessions.userId }).from(sessions).where(eq(sessions.id, sessionId));
  const found = await offersOnListing(db, sql`${userId}`, phoneId);
  const open = openOfferOf(found);
  const waiting = found.filter(
    ({ role, side, intents }) => role !== side && role === "seller" && intents.length > 0,
  );
  return { open: open ?? null, left: offersLeft(found), waiting: waiting.length };
}
