import {
  and,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, newId } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  decisions,
  notifications,
  orderProblems,
  orderSteps,
  orders,
  phones,
  removals,
  users,
} from "#app/db/schema.ts";
import type { NotificationKind, OrderStepKind, ReviewRole } from "#app/db/values.ts";
import { orderDeadlines, suspendedSellerDays } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { hasAccount, isSuspendedNow } from "../accounts/accounts.server.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";
import { system } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { addRemoval, undoableSince } from "../audit/removals.server.ts";
import { isListedAgain, removalOfSeller, returnedOrderId } from "../listings/listing-removal.server.ts";
import { notificationValues } from "../notifications/notify.server.ts";
import type { BookingDetails } from "./booking.schema.ts";
import {
  actorInOrders,
  cancellableStages,
  type OrderActor,
  type OrderRefusal,
  type Parcel,
  parcelText,
} from "./order.rules.ts";

/** Why a step was refused, or null; and the removal's id if it cancelled the order, to undo it. */
export interface StepOutcome {
  refusal: OrderRefusal | null;
  removalId?: string;
}

/** What a device was shipped in, for `parcelOf`. */
export const parcelColumns = { parcelService: orders.parcelService, trackingNumber: orders.trackingNumber };

/** A statement: writes down a step of an order. */
export function addStep(db: Db, actor: Pick<Actor, "id">, orderId: string, kind: OrderStepKind) {
  return db.insert(orderSteps).values({ orderId, kind, actorId: actor.id });
}

/** Condition on `orders`: the viewer is the seller. */
export function isSeller(db: Db, viewer: Pick<Actor, "id">) {
  return hasRow(db, phones, and(eq(phones.id, orders.phoneId), eq(phones.sellerId, viewer.id)));
}

const sellerId = sql`(select ${phones.sellerId} from ${phones} where ${phones.id} = ${orders.phoneId})`;

/** A column of `orders`: the side that has left; null if both still have an account. */
export function goneSide(db: Db) {
  const hasSeller = hasAccount(db, sellerId);
  return sql<ReviewRole | null>`iif(${hasAccount(db, orders.buyerId)}, iif(${hasSeller}, null, 'seller'), 'buyer')`;
}

/** Condition on `orders`: a side has left for good, because its removal can no longer be undone. */
export function isAbandoned(db: Db) {
  const isSide = sql`${users.id} in (${orders.buyerId}, ${sellerId})`;
  return hasRow(db, users, and(isSide, lt(users.removalId, firstIdAt(undoableSince()))));
}

/** Condition on `orders`: the buyer is suspended, which ends what is only reserved. */
export function hasSuspendedBuyer(db: Db) {
  return hasRow(db, users, and(eq(users.id, orders.buyerId), isSuspendedNow()));
}

/** Condition on `orders`: a problem is open, so the order is on hold. */
export function hasOpenProblem(db: Db) {
  return hasRow(db, orderProblems, and(eq(orderProblems.orderId, orders.id), isNull(orderProblems.endedAt)));
}

/** Condition on `orders`: its seller is suspended, so that it is on hold until the buyer has the device. */
export function isSellerSuspended(db: Db) {
  return hasRow(db, users, and(eq(users.id, sellerId), isNotNull(users.suspensionId)));
}

/** Condition on `users`: suspended for good, and so long ago that their reserved sales have waited long enough. */
export function isSuspendedTooLong(now = new Date()) {
  const since = firstIdAt(new Date(now.getTime() - suspendedSellerDays * dayMs));
  return and(isNull(users.suspendedUntil), lt(users.suspensionId, since));
}

/** A column of `orders`: when it ends by itself, or, while its seller is suspended for good, is cancelled. */
export function endColumn(db: Db) {
  const suspendedAt = sql`(select ${decisions.createdAt} from ${users} join ${decisions}
    on ${decisions.id} = ${users.suspensionId} where ${users.id} = ${sellerId} and ${users.suspendedUntil} is null)`;
  const isWaiting = and(eq(orders.stage, "reserved"), not(hasOpenProblem(db)));
  return sql<Date | null>`case when ${not(isActive)} then null when ${orders.heldSince} is null then ${orders.deadlineAt}
    when ${isWaiting} then ${suspendedAt} + ${suspendedSellerDays * dayMs} end`.mapWith(orders.deadlineAt);
}

/** Condition on `orders`: an account sells what is not received yet. */
function isOpenSaleOf(db: Db, accountId: string | SQL) {
  const isSold = and(eq(phones.id, orders.phoneId), eq(phones.sellerId, accountId));
  return and(isActive, ne(orders.stage, "received"), hasRow(db, phones, isSold));
}

/** Statements: a seller has been suspended, so their open orders are on hold, and the buyers are told at once. */
export function holdSales(db: Db, ownerId: string, decisionId: string, now: Date) {
  const isSale = isOpenSaleOf(db, ownerId);
  return [
    holdOrders(db, isSale, now),
    tellBuyers(db, "seller suspended", `seller suspended ${decisionId}`, isSale),
  ];
}

/** Statements: an account is not suspended anymore, so that its sales go on unless a problem holds them. */
export function resumeSales(db: Db, ownerId: SQL, decisionId: string | SQL, now: Date) {
  const isSale = isOpenSaleOf(db, ownerId);
  const isResuming = and(
    isSale,
    isNotNull(orders.heldSince),
    not(hasOpenProblem(db)),
    not(isSellerSuspended(db)),
  );
  return [
    tellBuyers(db, "seller back", sql`'seller back ' || ${decisionId}`, isResuming),
    resumeOrders(db, isSale, now),
  ];
}

function tellBuyers(db: Db, kind: NotificationKind, event: string | SQL, condition: SQL | undefined) {
  return db
    .insert(notifications)
    .select(
      db
        .select({
          ...notificationValues(kind, {
            userId: orders.buyerId,
            subject: orders.productName,
            path: sql`'/manage/orders/' || ${orders.id}`,
            event: sql`${event} || ' ' || ${orders.id}`,
          }),
          id: newId().as("id"),
        })
        .from(orders)
        .innerJoin(users, and(eq(users.id, orders.buyerId), isNull(users.removalId)))
        .where(condition),
    )
    .onConflictDoNothing();
}

/** A statement: puts orders that go on on hold. */
export function holdOrders(db: Db, condition: SQL | undefined, now: Date) {
  return db
    .update(orders)
    .set({ heldSince: sql`coalesce(${orders.heldSince}, ${now.getTime()})` })
    .where(and(isActive, condition));
}

/**
 * A statement: orders that nothing holds anymore go on. The time on hold is added to their deadlines; after a handover
 * only the time since, because that set new ones.
 */
export function resumeOrders(db: Db, condition: SQL | undefined, now: Date) {
  const handedOver = db
    .select({ at: max(orderSteps.createdAt) })
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, orders.id), eq(orderSteps.kind, "handed over")));
  const pause = sql`(${now.getTime()} - max(${orders.heldSince}, coalesce(${handedOver}, 0)))`;
  const later = (time: typeof orders.deadlineAt | typeof orders.reminderAt) => sql`${time} + ${pause}`;
  return db
    .update(orders)
    .set({ deadlineAt: later(orders.deadlineAt), reminderAt: later(orders.reminderAt), heldSince: null })
    .where(
      and(
        condition,
        isActive,
        isNotNull(orders.heldSince),
        not(hasOpenProblem(db)),
        or(eq(orders.stage, "received"), not(isSellerSuspended(db))),
      ),
    );
}

/** Condition on `orders`: both sides agreed, or moderators decided, that a problem ends it. */
export function hasEndingProblem(db: Db) {
  return hasRow(
    db,
    orderProblems,
    and(eq(orderProblems.orderId, orders.id), eq(orderProblems.state, "returned")),
  );
}

/** What is said of an order’s problems, and, after its end, of what may still have to be given back. */
export function problemColumns(db: Db) {
  const has = (condition: SQL | undefined) =>
    hasRow(db, orderProblems, and(eq(orderProblems.orderId, orders.id), condition));
  const { kind, state } = orderProblems;
  const isUnpaid = and(eq(kind, "not paid"), eq(state, "returned"));
  return {
    hasProblem: hasOpenProblem(db).mapWith(Boolean).as("has_problem"),
    isSellerSuspended: isSellerSuspended(db).mapWith(Boolean).as("is_seller_suspended"),
    hasEndingProblem: hasEndingProblem(db).mapWith(Boolean).as("has_ending_problem"),
    /** A problem of its own settles it. */
    isRefundDue: not(has(or(eq(kind, "not refunded"), isUnpaid)))
      .mapWith(Boolean)
      .as("is_refund_due"),
    isReturnDue: isReturnDue(db).mapWith(Boolean).as("is_return_due"),
  };
}

/** Condition on `orders`: after its end, the buyer may still have to give the device back. */
export function isReturnDue(db: Db) {
  const isSettled = and(eq(orderProblems.orderId, orders.id), eq(orderProblems.kind, "not returned"));
  return sql`${and(ne(orders.stage, "reserved"), not(hasRow(db, orderProblems, isSettled)), not(isListedAgain))}`;
}

/** Returns a function that makes a condition: the order exists, and meets the given condition on `orders`. */
function conditionsOn(db: Db, orderId: string) {
  return (condition: SQL | undefined) => hasRow(db, orders, and(eq(orders.id, orderId), condition));
}

const isActive = eq(orders.status, "active");

/** Condition on `orders`: the actor is its buyer or its seller. */
export function isSide(db: Db, actor: Actor) {
  return or(eq(orders.buyerId, actor.id), isSeller(db, actor));
}

/** Condition: an order has a step of a kind, by the actor if one is given. */
function hasStep(db: Db, orderId: string, kind: OrderStepKind, actor?: Actor) {
  const isBy = actor && eq(orderSteps.actorId, actor.id);
  return hasRow(db, orderSteps, and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, kind), isBy));
}

/** Takes a step that nobody takes twice for an order. What all steps need is checked first. */
async function takeStep(
  db: Db,
  actor: Actor,
  orderId: string,
  kind: OrderStepKind,
  conditions: Partial<Record<OrderRefusal, SQL>>,
  statements: BatchItem<"sqlite">[],
): Promise<StepOutcome> {
  const is = conditionsOn(db, orderId);
  const refusal = await batchUnless<OrderRefusal>(
    db,
    {
      "not found": is(actor.id === system.id ? undefined : isSide(db, actor)),
      cancelled: is(isActive),
      "done before": not(hasStep(db, orderId, kind, actor)),
      // A seller can hand over all the same: the problem may be that nothing has arrived.
      "problem open": kind === "handed over" ? undefined : is(not(hasOpenProblem(db))),
      received: is(ne(orders.stage, "received")),
      ...conditions,
    },
    [addStep(db, actor, orderId, kind), ...statements],
  );
  return { refusal };
}

/**
 * Marks a reserved order as handed over by its seller, or shipped in a parcel. Until it is received, they can correct
 * that by doing it again in another way.
 */
export async function handOver(
  db: Db,
  seller: Viewer,
  orderId: string,
  parcel: Parcel | null = null,
): Promise<StepOutcome> {
  const is = conditionsOn(db, orderId);
  const conditions = { "not yours": is(and(eq(orders.stage, "reserved"), isSeller(db, seller))) };
  const outcome = await takeStep(db, seller, orderId, "handed over", conditions, [
    db
      .update(orders)
      .set({ stage: "handed over", ...deadlinesOf("handed over"), ...parcel })
      .where(eq(orders.id, orderId)),
    notifyOfHandover(db, orderId, parcel, `handed over ${timeOrderedId()}`),
  ]);
  return outcome.refusal === "done before" ? changeHandover(db, seller, orderId, parcel) : outcome;
}

/** Corrects how a device was handed over, for who did that. */
async function changeHandover(
  db: Db,
  seller: Viewer,
  orderId: string,
  parcel: Parcel | null,
): Promise<StepOutcome> {
  const is = conditionsOn(db, orderId);
  const { parcelService, trackingNumber } = parcel ?? { parcelService: null, trackingNumber: null };
  const isOther = sql`(${orders.parcelService} is not ${parcelService} or ${orders.trackingNumber} is not ${trackingNumber})`;
  const refusal = await batchUnless<OrderRefusal>(
    db,
    {
      "done before": is(isOther),
      cancelled: is(isActive),
      received: is(ne(orders.stage, "received")),
    },
    [
      ...replaceDeliveryStep(db, seller, orderId),
      db.update(orders).set({ parcelService, trackingNumber }).where(eq(orders.id, orderId)),
      notifyOfHandover(db, orderId, parcel, `handover changed ${timeOrderedId()}`),
    ],
  );
  return { refusal };
}

function notifyOfHandover(db: Db, orderId: string, parcel: Parcel | null, event: string) {
  // With an open problem, its page says what comes next.
  const page = sql`iif(${hasOpenProblem(db)}, '/problem', '')`;
  const notification = { order: eq(orders.id, orderId), event, page };
  if (!parcel) return notifySide(db, "buyer", "handed over", notification);
  const subject = sql`${`${parcelText(parcel)}: `} || ${orders.productName}`;
  return notifySide(db, "buyer", "shipped", { ...notification, subject });
}

/**
 * Marks an order that was handed over as received: by its buyer, or by the system once it is overdue. The listing is
 * sold and loses its IMEI hash, so that the new owner may list the device.
 */
export function receive(db: Db, actor: Actor, orderId: string) {
  const is = conditionsOn(db, orderId);
  const order = eq(orders.id, orderId);
  const isSystem = actor.id === system.id;
  const kind = isSystem ? "received by system" : "received";
  const told = isSystem ? (["buyer", "seller"] as const) : (["seller"] as const);
  const conditions = {
    // The system takes the step once the order is overdue.
    "not yours": is(isSystem ? isOverdue() : eq(orders.buyerId, actor.id)),
    "not handed over": is(eq(orders.stage, "handed over")),
  };
  return takeStep(db, actor, orderId, "received", conditions, [
    db
      .update(orders)
      .set({ stage: "received", deadlineAt: null, reminderAt: null, heldSince: null })
      .where(order),
    db
      .update(phones)
      .set({ status: "sold", imeiHash: null })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order))),
    ...told.map((side) => notifySide(db, side, kind, { order, event: `received ${timeOrderedId()}` })),
  ]);
}

/**
 * Gives the other side more time, once for each order, unless that has left: the buyer while it is reserved; the seller
 * after the handover.
 */
export function extend(db: Db, viewer: Viewer, orderId: string) {
  const is = conditionsOn(db, orderId);
  const order = eq(orders.id, orderId);
  const isWaiting = or(
    and(eq(orders.stage, "reserved"), eq(orders.buyerId, viewer.id)),
    and(eq(orders.stage, "handed over"), isSeller(db, viewer)),
  );
  const later = (days: number) => sql`${orders.deadlineAt} + ${days * dayMs}`;
  const notification = { order, event: `extended ${timeOrderedId()}`, actorId: viewer.id };
  const conditions = {
    extended: not(hasStep(db, orderId, "extended")),
    "no more time": is(
      and(isNotNull(orders.deadlineAt), isNull(orders.heldSince), isWaiting, isNull(goneSide(db))),
    ),
  };
  return takeStep(db, viewer, orderId, "extended", conditions, [
    ...(["reserved", "handed over"] as const).map((stage) => {
      const { extensionDays, reminderDaysBefore } = orderDeadlines[stage];
      return db
        .update(orders)
        .set({ deadlineAt: later(extensionDays), reminderAt: later(extensionDays - reminderDaysBefore) })
        .where(and(order, eq(orders.stage, stage)));
    }),
    notifySide(db, "buyer", "extended", notification),
    notifySide(db, "seller", "extended", notification),
  ]);
}

/** The columns of an order that enters a stage now. */
export function deadlinesOf(stage: keyof typeof orderDeadlines) {
  const { days, reminderDaysBefore } = orderDeadlines[stage];
  const at = Date.now() + days * dayMs;
  return { deadlineAt: new Date(at), reminderAt: new Date(at - reminderDaysBefore * dayMs) };
}

/** Condition on `orders`: the stage has ended by itself. */
export function isOverdue(now = new Date()): SQL {
  return sql`${eq(orders.status, "active")} and ${lte(orders.deadlineAt, now)} and ${isNull(orders.heldSince)}`;
}

/** Statements: a side has changed the delivery. Of these steps, an order keeps the newest of each side. */
function replaceDeliveryStep(db: Db, actor: Viewer, orderId: string) {
  const isEarlier = and(
    eq(orderSteps.orderId, orderId),
    eq(orderSteps.kind, "delivery changed"),
    eq(orderSteps.actorId, actor.id),
  );
  return [db.delete(orderSteps).where(isEarlier), addStep(db, actor, orderId, "delivery changed")] as const;
}

/** Changes where a buyer's reserved order is sent, and tells the seller. */
export async function changeDelivery(
  db: Db,
  buyer: Viewer,
  orderId: string,
  { address, phone }: BookingDetails,
): Promise<{ refusal: OrderRefusal | null; modifiedCount: 0 | 1 }> {
  const is = conditionsOn(db, orderId);
  const refusal = await batchUnless<OrderRefusal>(
    db,
    {
      "not found": is(eq(orders.buyerId, buyer.id)),
      cancelled: is(isActive),
      "too late to change delivery": is(eq(orders.stage, "reserved")),
      "done before": is(or(ne(orders.buyerAddress, address), ne(orders.phoneNumber, phone))),
    },
    [
      ...replaceDeliveryStep(db, buyer, orderId),
      db.update(orders).set({ buyerAddress: address, phoneNumber: phone }).where(eq(orders.id, orderId)),
      notifySide(db, "seller", "delivery details changed", {
        order: eq(orders.id, orderId),
        event: `delivery details changed ${timeOrderedId()}`,
      }),
    ],
  );
  if (refusal === "done before") return { refusal: null, modifiedCount: 0 };
  return { refusal, modifiedCount: refusal ? 0 : 1 };
}

/**
 * A statement for the batch of an event of an order: notifies one side of it, unless they have left.
 *
 * @param order condition on `orders` that holds once the event has happened
 * @param event names the event
 * @param actorId who caused it, and is not notified
 * @param page the page below the order's that it leads to
 */
export function notifySide(
  db: Db,
  side: "buyer" | "seller",
  kind: NotificationKind,
  {
    order,
    event,
    actorId,
    subject = orders.productName,
    page = "",
  }: {
    order: SQL | undefined;
    event: string;
    actorId?: string;
    subject?: SQLWrapper;
    page?: "" | "/problem" | SQL;
  },
) {
  const userId = side === "buyer" ? orders.buyerId : phones.sellerId;
  const path = sql`'/manage/orders/' || ${orders.id} || ${page}`;
  return db
    .insert(notifications)
    .select(
      db
        .select(notificationValues(kind, { userId, subject, path, event }))
        .from(orders)
        .leftJoin(phones, eq(phones.id, orders.phoneId))
        .innerJoin(users, and(eq(users.id, userId), isNull(users.removalId)))
        .where(and(order, actorId === undefined ? undefined : ne(userId, actorId))),
    )
    .onConflictDoNothing();
}

/**
 * Cancels an order and makes its phone available, or removed if its seller has been removed since: for its buyer or an
 * administrator, or for the system once it is overdue, a side has left, its seller has been suspended for too long, or its
 * buyer is suspended. After a handover its listing stays hidden until the seller lists it again.
 *
 * @param bySeller whether its seller may cancel it too
 */
export async function cancelOrder(
  db: Db,
  actor: Actor,
  orderId: string,
  { bySeller = false } = {},
): Promise<StepOutcome> {
  const removalId = timeOrderedId();
  const is = conditionsOn(db, orderId);
  const order = eq(orders.id, orderId);
  const by = actorInOrders(actor);
  const isBuyer = eq(orders.buyerId, actor.id);
  const mayCancel = {
    buyer: bySeller ? isSide(db, actor) : isBuyer,
    // Any order.
    administrator: undefined,
    system: or(
      isOverdue(),
      isAbandoned(db),
      hasRow(db, users, and(eq(users.id, sellerId), isSuspendedTooLong())),
      hasSuspendedBuyer(db),
    ),
  }[by];
  const isInTime = (who: OrderActor) => inArray(orders.stage, cancellableStages(who));
  const event = `cancelled ${removalId}`;
  const tell = (side: ReviewRole) => {
    if (by !== "system") return [notifySide(db, side, "cancelled", { order, event, actorId: actor.id })];
    const isHeld = isNotNull(orders.heldSince);
    const isLate = lte(orders.deadlineAt, new Date());
    const isStaying = and(order, isNull(goneSide(db)));
    const because = (reason: string, condition: SQL | undefined) =>
      notifySide(db, side, "cancelled", {
        order: condition,
        event,
        subject: sql`${orders.productName} || ${` (${reason})`}`,
      });
    const suspended = "your account is suspended";
    return [
      notifySide(db, side, "cancelled by system", { order: and(isStaying, not(isHeld), isLate), event }),
      because(side === "buyer" ? "the seller is suspended" : suspended, and(isStaying, isHeld)),
      because(
        side === "buyer" ? suspended : "the buyer can’t go on",
        and(isStaying, not(isHeld), not(isLate)),
      ),
      because(`the ${side === "buyer" ? "seller" : "buyer"} has left`, and(order, isNotNull(goneSide(db)))),
    ];
  };
  const isOwnRemoval = and(eq(removals.id, orders.removalId), eq(removals.actorId, actor.id));
  const refusal = await batchUnless<OrderRefusal>(
    db,
    {
      "not found": is(mayCancel),
      "done before": not(is(hasRow(db, removals, isOwnRemoval))),
      cancelled: is(isActive),
      "problem open": is(not(hasOpenProblem(db))),
      received: is(ne(orders.stage, "received")),
      // An administrator who is the buyer has the buyer's rules.
      "too late to cancel": is(
        sql`iif(${isBuyer}, ${isInTime("buyer")}, ${isInTime(by === "buyer" ? "seller" : by)})`,
      ),
    },
    [
      addRemoval(db, actor, "order", { id: removalId, targetId: orderId }),
      db.update(orders).set({ status: "cancelled", removalId }).where(order),
      db
        .update(phones)
        .set({
          status: "available",
          // A listing that a moderator has hidden stays hidden.
          hiddenById: sql`coalesce(${phones.hiddenById}, ${removalOfSeller}, ${returnedOrderId})`,
        })
        .where(
          and(
            eq(phones.status, "reserved"),
            inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order)),
          ),
        ),
      addStep(db, actor, orderId, "cancelled"),
      addActivityOf(
        db,
        actor,
        "deleted order",
        orders,
        orders.productName,
        and(order, not(isBuyer), not(isSeller(db, actor))),
      ),
      ...tell("buyer"),
      ...tell("seller"),
    ],
  );
  return refusal ? { refusal } : { refusal, removalId };
}
