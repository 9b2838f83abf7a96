import { and, eq, exists, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, newId, valueFor } from "#app/db/conditions.server.ts";
import type { SignalKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  orderProblems,
  orderSteps,
  orders,
  phones,
  removals,
  signals,
  signUpAddresses,
  users,
} from "#app/db/schema.ts";
import type { Environment } from "#app/server/config/environment.server.ts";
import { dayMs } from "#app/time.ts";
import { canBePaid, isActiveAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { deadlinesOf } from "../audit/order-windows.server.ts";
import { sizeKeyOf } from "../listings/device-variants.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { sizeKey } from "../listings/size.rules.ts";
import { isBlockBetween } from "../messages/message-refusals.server.ts";
import { isProtected, payDeadlineOf, protectOrder } from "../payments/protected-orders.server.ts";
import type { BookingDetails, PhoneDescription } from "./booking.schema.ts";
import { type BookingRefusal, waitRefusal } from "./booking-refusal.ts";
import { hadPrice, lowestPriceFor, notifyOfLostOffers } from "./offers.server.ts";
import {
  addStep,
  conditionsFor,
  isSeller,
  isSide,
  type StepConditions,
  type StepOutcome,
} from "./order-steps.server.ts";
import type { OrderRefusal } from "./order-texts.ts";
import {
  bookingBar,
  delaysRebooking,
  isBookableBy,
  isRebookingAllowed,
  isUnpaidOrder,
  rebookingWait,
  recentCancellations,
} from "./rebooking.server.ts";

type BookingOutcome =
  | { orderId: string; refusal?: undefined }
  | { orderId?: undefined; refusal: BookingRefusal };

/** How many reservations a buyer may have that were not handed over yet. */
export type ReservationLimits = Pick<
  Environment,
  "MAX_RESERVATIONS" | "MAX_RESERVATIONS_UNCONFIRMED" | "MAX_RESERVATIONS_NEW_ACCOUNTS"
>;

interface BookingOptions {
  limits: ReservationLimits;
  /** Idempotency key of the request. */
  formKey?: string | null;
  /** The price that the buyer saw. Without it, the phone is booked at its current price. */
  shownCents?: number;
  /** Whether the market has a payment provider. */
  hasProvider?: boolean;
}

/**
 * Reserves a phone for a buyer. Of concurrent buyers exactly one succeeds; a repeated request makes no second order.
 *
 * @param wanted the phone's id, or a description: then the oldest matching listing is booked
 */
export async function bookListing(
  db: Db,
  buyer: Viewer,
  wanted: string | PhoneDescription,
  details: BookingDetails,
  options: BookingOptions,
): Promise<BookingOutcome> {
  const id = timeOrderedId();
  const [ordered] = await db.batch(placeOrder(db, { ...details, ...options, id, buyerId: buyer.id, wanted }));
  if (ordered.length > 0) return { orderId: id };
  const first = options.formKey && (await findOrderByKey(db, buyer, options.formKey));
  if (first) return { orderId: first.id };
  return repeatedOrRefused(db, buyer, wanted, details, options);
}

type NewOrder = BookingDetails &
  BookingOptions & {
    id: string;
    buyerId: string;
    wanted: string | PhoneDescription;
  };

/**
 * The statements of one batch: each but the last takes effect only if the order was inserted. The unique index on active
 * orders decides between concurrent buyers.
 */
function placeOrder(
  db: Db,
  { id, buyerId, wanted, address, phone, formKey = null, shownCents, limits, hasProvider = false }: NewOrder,
) {
  const { deadlineAt, reminderAt } = deadlinesOf("reserved");
  const payBy = payDeadlineOf(new Date());
  /** A protected order waits for its payment first. */
  const unlessProtected = (column: typeof orders.deadlineAt, time: Date, before: Date | null) =>
    hasProvider
      ? sql<Date>`iif(${canBePaid(db, phones.sellerId)}, ${before?.getTime() ?? null}, ${time.getTime()})`.as(
          column.name,
        )
      : valueFor(column, time);
  const order = db
    .select({
      id: valueFor(orders.id, id),
      phoneId: phones.id,
      buyerId: users.id,
      productName: deviceNameColumn.as("product_name"),
      ram: phones.ram,
      rom: phones.rom,
      buyerName: users.name,
      buyerAddress: valueFor(orders.buyerAddress, address),
      email: users.email,
      phoneNumber: valueFor(orders.phoneNumber, phone),
      priceCents: sql`${lowestPriceFor(db, users.id)}`.as("price_cents"),
      status: valueFor(orders.status, "active"),
      createdAt: valueFor(orders.createdAt, new Date()),
      removalId: valueFor(orders.removalId, null),
      formKey: valueFor(orders.formKey, formKey),
      stage: valueFor(orders.stage, "reserved"),
      parcelService: valueFor(orders.parcelService, null),
      trackingNumber: valueFor(orders.trackingNumber, null),
      deadlineAt: unlessProtected(orders.deadlineAt, deadlineAt, payBy),
      reminderAt: unlessProtected(orders.reminderAt, reminderAt, null),
      previousDeadlineAt: valueFor(orders.previousDeadlineAt, null),
      heldSince: valueFor(orders.heldSince, null),
      soldById: sql`${phones.sellerId}`.as("sold_by_id"),
    })
    .from(phones)
    .innerJoin(users, and(eq(users.id, buyerId), isNull(users.removalId)))
    .where(
      and(
        matches(wanted),
        isBookableBy(db, users.id),
        shownCents === undefined ? undefined : eq(lowestPriceFor(db, users.id), shownCents),
        isBelowLimit(db, limits),
      ),
    )
    .orderBy(phones.id)
    .limit(1);
  const isOrder = eq(orders.id, id);
  return [
    db.insert(orders).select(order).onConflictDoNothing().returning({ id: orders.id }),
    db
      .update(phones)
      .set({ status: "reserved" })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(isOrder))),
    db.insert(orderSteps).select(
      db
        .select({
          id: valueFor(orderSteps.id, timeOrderedId()),
          orderId: sql`${orders.id}`.as("order_id"),
          kind: valueFor(orderSteps.kind, "reserved"),
          actorId: sql`${orders.buyerId}`.as("actor_id"),
          createdAt: sql`${orders.createdAt}`.as("created_at"),
          reason: valueFor(orderSteps.reason, null),
        })
        .from(orders)
        .where(isOrder),
    ),
    ...(hasProvider ? [protectOrder(db, id, payBy)] : []),
    notifySide(db, "buyer", "order placed", { order: isOrder, event: `order placed ${id}` }),
    // The seller of a protected order learns of it once it is paid.
    notifySide(db, "seller", "booked", {
      order: hasProvider ? and(isOrder, not(isProtected(db))) : isOrder,
      event: `booked ${id}`,
    }),
    notifyOfLostOffers(db, id),
    signalManyReservations(db, buyerId, limits),
  ] as const;
}

/** Condition on `users`: the buyer may reserve one more device. @param exceptId an order that does not count */
export function isBelowLimit(db: Db, limits: ReservationLimits, exceptId = sql`''`): SQL {
  return sql`(${openReservations(db, exceptId)} < ${reservationLimit(limits)}
    and ${reservationsOfNewAccounts(exceptId)} < ${limits.MAX_RESERVATIONS_NEW_ACCOUNTS})`;
}

/** How many devices a row of `users` has reserved. Those that were handed over do not count. */
function openReservations(db: Db, exceptId = sql`''`) {
  const own = alias(orders, "own");
  const isReserved = and(eq(own.status, "active"), eq(own.stage, "reserved"));
  const count = db
    .select({ count: sql`count(*)` })
    .from(own)
    .where(and(eq(own.buyerId, users.id), isReserved, ne(own.id, exceptId)));
  return sql<number>`${count}`;
}

/** New accounts share a limit with those made from the same network address. */
const newAccountMs = dayMs;

/** The sign-ups of the last day from the network address of a row of `users`, if it is one of them. */
function newAccountsAtAddress(): SQL {
  const since = Date.now() - newAccountMs;
  return sql`(select other.user_id from ${signUpAddresses} own
    join ${signUpAddresses} other on other.address_hash = own.address_hash and other.created_at > ${since}
    where own.user_id = ${users.id} and own.created_at > ${since})`;
}

/** How many devices they have reserved together; 0 for an older account. */
function reservationsOfNewAccounts(exceptId = sql`''`): SQL<number> {
  return sql<number>`(select count(*) from ${orders} shared where shared.buyer_id in ${newAccountsAtAddress()}
    and shared.status = 'active' and shared.stage = 'reserved' and shared.id <> ${exceptId})`;
}

/** A statement: has moderators look at the new accounts that hold all devices their network address may reserve, and at a buyer who wants more. */
function signalManyReservations(
  db: Db,
  buyerId: string,
  { MAX_RESERVATIONS_NEW_ACCOUNTS: limit }: ReservationLimits,
) {
  const kind: SignalKind = "many reservations";
  const account = alias(users, "account");
  const shared = alias(orders, "shared");
  const holds = hasRow(
    db,
    shared,
    and(eq(shared.buyerId, account.id), eq(shared.status, "active"), eq(shared.stage, "reserved")),
  );
  const hasKind = sql`exists (select 1 from json_each(${signals.found}) where value ->> 'kind' = ${kind})`;
  return db
    .insert(signals)
    .select(
      db
        .select({
          id: newId().as("id"),
          targetKind: valueFor(signals.targetKind, "seller"),
          targetId: sql<string>`${account.id}`.as("target_id"),
          ownerId: sql<string>`${account.id}`.as("owner_id"),
          found: valueFor(signals.found, [{ kind, figure: limit }]),
          createdAt: valueFor(signals.createdAt, new Date()),
          decisionId: valueFor(signals.decisionId, null),
        })
        .from(users)
        .innerJoin(account, sql`${account.id} in ${newAccountsAtAddress()}`)
        .where(
          and(
            eq(users.id, buyerId),
            sql`${reservationsOfNewAccounts()} >= ${limit}`,
            or(eq(account.id, buyerId), holds),
          ),
        ),
    )
    .onConflictDoUpdate({
      target: [signals.targetKind, signals.targetId],
      set: {
        id: sql`excluded.id`,
        found: sql`json_insert(${signals.found}, '$[#]', json_object('kind', ${kind}, 'figure', ${limit}))`,
        createdAt: sql`excluded.created_at`,
        decisionId: null,
      },
      setWhere: not(hasKind),
    });
}

function reservationLimit({ MAX_RESERVATIONS, MAX_RESERVATIONS_UNCONFIRMED }: ReservationLimits) {
  return sql<number>`iif(${isConfirmed}, ${MAX_RESERVATIONS}, ${MAX_RESERVATIONS_UNCONFIRMED})`;
}

const isConfirmed = isNotNull(users.emailVerifiedAt);

function matches(wanted: string | PhoneDescription): SQL | undefined {
  if (typeof wanted === "string") return eq(phones.id, wanted);
  return and(
    eq(deviceNameColumn, wanted.productName),
    eq(sizeKeyOf(phones.ram), sizeKey(wanted.ram)),
    eq(sizeKeyOf(phones.rom), sizeKey(wanted.rom)),
    eq(phones.sellingCents, wanted.priceCents),
  );
}

/** The order that an earlier request with the same idempotency key made. */
async function findOrderByKey(db: Db, buyer: Viewer, formKey: string) {
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.buyerId, buyer.id), eq(orders.formKey, formKey)));
  return order;
}

/** The order of an earlier identical request, or why the booking failed. */
async function repeatedOrRefused(
  db: Db,
  buyer: Viewer,
  wanted: string | PhoneDescription,
  details: BookingDetails,
  options: BookingOptions,
): Promise<BookingOutcome> {
  const state = await readBookingState(db, buyer, wanted, options.limits, options.shownCents);
  const refusal = refusalIn(state, buyer, wanted, options.shownCents);
  const { order } = state;
  if (refusal?.reason === "already yours" && order) {
    const isSame = order.address === details.address && order.phoneNumber === details.phone;
    if (isSame) return { orderId: order.id };
  }
  if (!refusal || refusal.reason === "reserved") {
    return { refusal: { reason: typeof wanted === "string" ? "just reserved" : "none available" } };
  }
  return { refusal };
}

/** Why the buyer cannot book a phone now, null if they can; and the price that holds for them, in cents. */
export async function findBookingTerms(
  db: Db,
  buyer: Viewer,
  phoneId: string,
  limits: ReservationLimits,
): Promise<{ refusal: BookingRefusal | null; priceCents: number | undefined }> {
  const state = await readBookingState(db, buyer, phoneId, limits);
  return { refusal: refusalIn(state, buyer, phoneId), priceCents: state.listing?.priceCents };
}

type BookingState = Awaited<ReturnType<typeof readBookingState>>;

function refusalIn(
  { listing, order, account, waiting }: BookingState,
  buyer: Viewer,
  wanted: string | PhoneDescription,
  shownCents?: number,
): BookingRefusal | null {
  if (typeof wanted === "string") {
    if (!listing) return { reason: "unknown phone" };
    if (listing.sellerId === buyer.id) return { reason: "own phone" };
    if (order?.buyerId === buyer.id) return { reason: "already yours", orderId: order.id };
    if (listing.status !== "available") return { reason: listing.status };
    if (listing.bar) return { reason: listing.bar };
  }
  if (account && account.open >= account.limit) {
    const { limit, isConfirmed } = account;
    return { reason: "too many reservations", limit, isConfirmed };
  }
  if (account && account.openOfNew >= account.limitOfNew)
    return { reason: "too many new accounts", limit: account.limitOfNew };
  if (waiting?.wait) return waitRefusal(waiting.wait);
  if (listing && shownCents !== undefined && listing.priceCents !== shownCents) {
    const { priceCents, wasOffer } = listing;
    return { reason: "price changed", priceCents, shownCents, wasOffer };
  }
  return null;
}

/** The wanted listing, its active order, and what keeps the buyer from booking it. */
async function readBookingState(
  db: Db,
  buyer: Viewer,
  wanted: string | PhoneDescription,
  limits: ReservationLimits,
  shownCents = 0,
) {
  const isWanted = typeof wanted === "string" ? eq(phones.id, wanted) : sql`false`;
  const [[listing], [order], [account], [waiting]] = await db.batch([
    db
      .select({
        sellerId: phones.sellerId,
        status: phones.status,
        priceCents: lowestPriceFor(db, buyer.id).mapWith(Number).as("price_for_buyer"),
        bar: bookingBar(db, buyer.id, phones.sellerId).as("bar"),
        wasOffer: hadPrice(db, buyer.id, shownCents).mapWith(Boolean).as("was_offer"),
      })
      .from(phones)
      .where(and(isWanted, isNull(phones.hiddenById))),
    db
      .select({
        id: orders.id,
        buyerId: orders.buyerId,
        address: orders.buyerAddress,
        phoneNumber: orders.phoneNumber,
      })
      .from(orders)
      .innerJoin(phones, eq(phones.id, orders.phoneId))
      .where(and(isWanted, eq(orders.status, "active"))),
    db
      .select({
        open: openReservations(db),
        limit: reservationLimit(limits),
        openOfNew: reservationsOfNewAccounts().mapWith(Number).as("open_of_new"),
        limitOfNew: sql<number>`${limits.MAX_RESERVATIONS_NEW_ACCOUNTS}`.mapWith(Number).as("limit_of_new"),
        isConfirmed: sql`${isConfirmed}`.mapWith(Boolean),
      })
      .from(users)
      .where(eq(users.id, buyer.id)),
    db
      .select({ wait: rebookingWait(db, users.id, phones.id) })
      .from(phones)
      .innerJoin(users, eq(users.id, buyer.id))
      .where(
        and(
          matches(wanted),
          eq(phones.status, "available"),
          isNull(phones.hiddenById),
          exists(recentCancellations(db, users.id, phones.id)),
        ),
      )
      .limit(1),
  ]);
  return { listing, order, account, waiting };
}

/** What must hold before a seller lets a buyer book the phone, or anything of theirs after "not paid", again at once. */
export function rebookingConditions(db: Db, seller: Viewer): StepConditions {
  const cancelled = (condition: SQL | undefined) =>
    exists(
      db
        .select({ id: phones.id })
        .from(phones)
        .innerJoin(removals, eq(removals.id, orders.removalId))
        .where(and(eq(phones.id, orders.phoneId), condition)),
    );
  const wasUnpaid = hasRow(
    db,
    orderProblems,
    and(
      eq(orderProblems.orderId, orders.id),
      eq(orderProblems.kind, "not paid"),
      eq(orderProblems.state, "returned"),
    ),
  );
  const isForSale = and(eq(phones.status, "available"), isNull(phones.hiddenById));
  const awaits = and(
    or(and(delaysRebooking(db), isForSale), isUnpaidOrder(db)),
    isActiveAccount(db, orders.buyerId),
    isActiveAccount(db, phones.sellerId),
    not(isBlockBetween(db, orders.buyerId, phones.sellerId)),
  );
  return {
    "not found": isSide(db, seller),
    "not yours": isSeller(db, seller),
    "done before": not(
      cancelled(
        and(isRebookingAllowed(db), not(isUnpaidOrder(db)), or(eq(phones.status, "available"), wasUnpaid)),
      ),
    ),
    "nothing to allow": cancelled(awaits),
  };
}

/** Lets the seller allow a buyer who has cancelled to book the phone again at once, and one who did not pay to book at all. */
export async function allowRebooking(db: Db, seller: Viewer, orderId: string): Promise<StepOutcome> {
  const order = eq(orders.id, orderId);
  const conditions = conditionsFor(db, orderId, rebookingConditions(db, seller));
  const refusal = await batchUnless<OrderRefusal>(db, conditions, [
    addStep(db, seller, orderId, "rebooking allowed"),
    notifySide(db, "buyer", "rebooking allowed", { order, event: `rebooking allowed ${timeOrderedId()}` }),
  ]);
  return { refusal };
}
