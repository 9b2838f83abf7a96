import {
  and,
  eq,
  gt,
  gte,
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
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, newId } from "#app/db/conditions.server.ts";
import type { CancelCause, NotificationKind, OrderSide, OrderStage, OrderStepKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  decisions,
  notifications,
  orderProblems,
  orderSteps,
  orders,
  payments,
  phones,
  removals,
  reviews,
  uncountedDays,
  users,
} from "#app/db/schema.ts";
import { orderDeadlines, suspendedSellerDays } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";
import { hasAccount, isSuspended, isSuspendedNow } from "../accounts/accounts.server.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";
import { system } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { notificationValues, notifySide, takeBackNotifications } from "../audit/notify.server.ts";
import { deadlinesOf, hasOpenProblem, receivedAt } from "../audit/order-windows.server.ts";
import { addRemoval, undoableSince } from "../audit/removals.server.ts";
import {
  freedStatus,
  hidingDecision,
  isDeviceBack,
  isEndedByReturn,
  removalOfSeller,
  returnedOrderId,
} from "../listings/listing-removal.server.ts";
import { isBlockBetween } from "../messages/message-refusals.server.ts";
import {
  isChargedBack,
  isPaidOut,
  isPaymentOverdue,
  isProtected,
  isRefundStarted,
  isUnpaid,
  refundableCents,
} from "../payments/protected-orders.server.ts";
import type { BookingDetails } from "./booking.schema.ts";
import {
  actorInOrders,
  cancellableStages,
  type Handover,
  lacksParcelService,
  type OrderActor,
  type Parcel,
  parcelAfter,
  parcelOf,
  shownHandover,
} from "./order.rules.ts";
import type { OrderIntent, OrderRefusal } from "./order-texts.ts";

/** Why a step was refused, or null; and the removal's id if it cancelled the order, to undo it. */
export interface StepOutcome {
  refusal: OrderRefusal | null;
  removalId?: string;
}

/** What a device was shipped in, for `parcelOf`. */
export const parcelColumns = { parcelService: orders.parcelService, trackingNumber: orders.trackingNumber };

/** A statement: writes down a step of an order. */
export function addStep(
  db: Db,
  actor: Pick<Actor, "id">,
  orderId: string,
  kind: OrderStepKind,
  reason: string | null = null,
) {
  return db.insert(orderSteps).values({ orderId, kind, actorId: actor.id, reason });
}

/** Condition on `orders`: the viewer is the seller. */
export function isSeller(db: Db, viewer: Pick<Actor, "id">) {
  return hasRow(db, phones, and(eq(phones.id, orders.phoneId), eq(phones.sellerId, viewer.id)));
}

/** The seller of a row of `orders`. */
export const sellerId = sql`(select ${phones.sellerId} from ${phones} where ${phones.id} = ${orders.phoneId})`;

/** A column of `orders`: the side that has left; null if both still have an account. */
export function goneSide(db: Db) {
  const hasSeller = hasAccount(db, sellerId);
  return sql<OrderSide | null>`iif(${hasAccount(db, orders.buyerId)}, iif(${hasSeller}, null, 'seller'), 'buyer')`;
}

/** Condition on `orders`: a side has left for good, because its removal can no longer be undone. */
export function hasSideLeft(db: Db) {
  const isSide = sql`${users.id} in (${orders.buyerId}, ${sellerId})`;
  return hasRow(db, users, and(isSide, lt(users.removalId, firstIdAt(undoableSince()))));
}

/** Condition on `orders`: the buyer is suspended, so what is only reserved is not handed over. */
export function hasSuspendedBuyer(db: Db, condition?: SQL) {
  return hasRow(db, users, and(eq(users.id, orders.buyerId), isSuspendedNow(), condition));
}

/** Condition on `orders`: that suspension can no longer be undone, which ends what is only reserved. */
export function isBuyerSuspensionFinal(db: Db) {
  return hasSuspendedBuyer(db, lt(users.suspensionId, firstIdAt(undoableSince())));
}

/**
 * A statement: a buyer has been suspended. What they reserved waits until that can no longer be undone; its deadline does
 * not end it before.
 */
export function delayReservations(db: Db, buyerId: string, now: Date) {
  return db
    .update(orders)
    .set({ deadlineAt: sql`max(${orders.deadlineAt}, ${now.getTime() + dayMs})` })
    .where(and(eq(orders.buyerId, buyerId), isActive, eq(orders.stage, "reserved"), not(isUnpaid(db))));
}

/** Condition on `orders`: its seller is suspended, so that it is on hold until the buyer has the device. */
export function isSellerSuspended(db: Db) {
  return isSuspended(db, sellerId);
}

/** Condition on `users`: suspended for good, and so long ago that their reserved sales have waited long enough. */
export function isSuspendedTooLong() {
  const since = firstIdAt(new Date(Date.now() - suspendedSellerDays * dayMs));
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

const suspendedEvent = "seller suspended";
const backEvent = "seller back";

/**
 * Statements: a seller has been suspended, so their open orders are on hold, and the buyers read it at once.
 *
 * @param replacedId the suspension that this one replaces, of which the buyers know
 */
export function holdSales(db: Db, ownerId: string, decisionId: string, replacedId: SQL, now: Date) {
  const isSale = isOpenSaleOf(db, ownerId);
  const told = alias(notifications, "told");
  const isTold = hasRow(
    db,
    told,
    and(
      eq(told.userId, orders.buyerId),
      eq(told.event, sql`${suspendedEvent} || ' ' || ${replacedId} || ' ' || ${orders.id}`),
    ),
  );
  return [
    holdOrders(db, isSale, now),
    notifyBuyers(db, "seller suspended", `${suspendedEvent} ${decisionId}`, and(isSale, not(isTold))),
  ];
}

/**
 * Statements: a suspension, or the end of one, has been undone, which what buyers were notified of says.
 *
 * @param change whether the seller was suspended, or was not anymore
 * @param decisionId the suspension
 */
export function takeBackSuspensionNotices(
  db: Db,
  change: typeof suspendedEvent | typeof backEvent,
  ownerId: string,
  decisionId: string,
) {
  const buyers = db
    .select({ id: orders.buyerId })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(eq(phones.sellerId, ownerId));
  return takeBackNotifications(
    db,
    and(
      inArray(notifications.userId, buyers),
      gte(notifications.event, `${change} ${decisionId} `),
      lt(notifications.event, `${change} ${decisionId} ~`),
    ),
  );
}

/**
 * Statements: an account is not suspended anymore, so that its sales go on unless a problem holds them.
 *
 * @param isTold whether the buyers learn of it; not of what is undone, see `takeBackSuspensionNotices`
 */
export function resumeSales(
  db: Db,
  ownerId: SQL,
  decisionId: string | SQL,
  now: Date,
  { isTold }: { isTold: boolean },
) {
  const isSale = isOpenSaleOf(db, ownerId);
  const isResuming = and(
    isSale,
    isNotNull(orders.heldSince),
    not(hasOpenProblem(db)),
    not(isSellerSuspended(db)),
  );
  return [
    ...(isTold
      ? [notifyBuyers(db, "seller back", sql`${backEvent} || ' ' || ${decisionId}`, isResuming)]
      : []),
    resumeOrders(db, isSale, now),
  ];
}

function notifyBuyers(db: Db, kind: NotificationKind, event: string | SQL, condition: SQL | undefined) {
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
  const later = (time: SQLWrapper) => sql`${time} + ${pause}`;
  return db
    .update(orders)
    .set({
      deadlineAt: later(orders.deadlineAt),
      reminderAt: later(orders.reminderAt),
      previousDeadlineAt: later(orders.previousDeadlineAt),
      heldSince: null,
    })
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

/** Condition on `phones`, of the device of a row of `orders`: nothing hides it, also not its seller's state. */
const isToBeListed = and(
  eq(phones.id, orders.phoneId),
  isNull(sql`coalesce(${phones.hiddenById}, ${removalOfSeller})`),
);

/** What is said of an order’s problems, and of what may still have to be given back if it ends. */
export function problemColumns(db: Db) {
  const has = (condition: SQL | undefined) =>
    hasRow(db, orderProblems, and(eq(orderProblems.orderId, orders.id), condition));
  const { kind, state } = orderProblems;
  const isUnpaid = and(eq(kind, "not paid"), eq(state, "returned"));
  return {
    hasProblem: hasOpenProblem(db).mapWith(Boolean).as("has_problem"),
    isHandoverBarred: hasOpenProblem(db, "other terms", "bank dispute")
      .mapWith(Boolean)
      .as("is_handover_barred"),
    isSellerSuspended: isSellerSuspended(db).mapWith(Boolean).as("is_seller_suspended"),
    hasBlock: isBlockBetween(db, orders.buyerId, sellerId).mapWith(Boolean).as("has_block"),
    /** Whether its device is listed again once it is cancelled before the handover, or has been. */
    goesBackOnSale: hasRow(db, phones, isToBeListed).mapWith(Boolean).as("goes_back_on_sale"),
    hasEndingProblem: hasEndingProblem(db).mapWith(Boolean).as("has_ending_problem"),
    /** A problem of its own settles it; the seller does not have the money of a protected order. */
    isRefundDue: sql`${and(not(isProtected(db)), not(has(or(eq(kind, "not refunded"), isUnpaid))))}`
      .mapWith(Boolean)
      .as("is_refund_due"),
    isReturnDue: isReturnDue(db).mapWith(Boolean).as("is_return_due"),
    /** No money is promised that has gone back, or will. */
    isRefundable: sql`coalesce(${refundableCents}, 0) > 0`.mapWith(Boolean).as("is_refundable"),
  };
}

/** Columns of `orders` that its badge is made of. */
export function orderStateColumns(db: Db) {
  return {
    status: orders.status,
    stage: orders.stage,
    isShipped: isNotNull(orders.parcelService).mapWith(Boolean).as("is_shipped"),
    hasProblem: hasOpenProblem(db).mapWith(Boolean).as("has_problem"),
    hasEndingProblem: hasEndingProblem(db).mapWith(Boolean).as("has_ending_problem"),
  };
}

/** Condition on `orders`: after its end, the buyer may still have to give the device back. */
export function isReturnDue(db: Db) {
  const isSettled = and(eq(orderProblems.orderId, orders.id), eq(orderProblems.kind, "not returned"));
  return sql`${and(ne(orders.stage, "reserved"), not(hasRow(db, orderProblems, isSettled)), not(isDeviceBack))}`;
}

/** Condition on `orders`: a problem has ended it, and what is left goes back to its buyer once the seller has the device. */
function isRefundWaiting(db: Db) {
  const hasMoney = sql`${refundableCents} > 0`;
  return and(
    isEndedByReturn(db),
    not(isDeviceBack),
    hasMoney,
    not(isRefundStarted(db)),
    not(isChargedBack(db)),
  );
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

/** Condition on `orders`: it has a step of a kind for which another condition holds. */
function hasStep(db: Db, kind: OrderStepKind, condition?: SQL) {
  const isStep = and(eq(orderSteps.orderId, orders.id), eq(orderSteps.kind, kind));
  return hasRow(db, orderSteps, and(isStep, condition));
}

const isBy = (actor: Actor) => eq(orderSteps.actorId, actor.id);

const hasStage = (stage: OrderStage) => eq(orders.stage, stage);

/** Conditions on `orders`, by the refusal if one does not hold; an undefined one holds. */
export type StepConditions = Partial<Record<OrderRefusal, SQL | undefined>>;

/** What must hold before an actor takes a step. What is offered and what is accepted follow from it. */
export function stepConditions(
  db: Db,
  actor: Actor,
  intent: Exclude<OrderIntent, "allow rebooking">,
): StepConditions {
  const isSystem = actor.id === system.id;
  const isOfActor = isSystem ? undefined : isSide(db, actor);
  const isBuyer = eq(orders.buyerId, actor.id);
  const goesOn = { "not found": isOfActor, cancelled: isActive };
  const once = (kind: OrderStepKind) => ({ ...goesOn, "done before": not(hasStep(db, kind, isBy(actor))) });
  const notOnHold = { "problem open": not(hasOpenProblem(db)) };
  const notReceived = { received: not(hasStage("received")) };
  /** A step that an undo takes away again. */
  const undo = (kind: "handed over" | "received", undone: OrderStepKind, before: OrderStage) => ({
    ...goesOn,
    "done before": not(and(hasStage(before), hasStep(db, undone, isBy(actor))) ?? sql`0`),
    ...notOnHold,
    "nothing to undo": and(hasStage(kind), hasStep(db, kind, isBy(actor))),
    "undone before": not(hasStep(db, undone)),
    "too late to undo": hasStep(db, kind, gt(orderSteps.createdAt, undoableSince())),
    // What the two have agreed on since holds.
    "problem since": not(
      hasRow(
        db,
        orderProblems,
        and(
          eq(orderProblems.orderId, orders.id),
          hasStep(db, kind, lte(orderSteps.createdAt, orderProblems.createdAt)),
        ),
      ),
    ),
  });
  switch (intent) {
    case "hand over":
      return {
        ...once("handed over"),
        "not paid yet": not(isUnpaid(db)),
        // With another problem too, since the problem may be that nothing has arrived.
        "other terms": not(hasOpenProblem(db, "other terms")),
        disputed: not(hasOpenProblem(db, "bank dispute")),
        ...notReceived,
        "not yours": and(hasStage("reserved"), isSeller(db, actor)),
        "buyer left": and(hasAccount(db, orders.buyerId), hasAccount(db, actor.id)),
        // To who is suspended nothing is handed over anymore, also while that can still be undone.
        "on hold": or(ne(orders.stage, "reserved"), not(hasSuspendedBuyer(db))),
      };
    case "undo handover":
      return {
        ...undo("handed over", "handover undone", "reserved"),
        "not yours": isSeller(db, actor),
        // Nobody hands over for money that staff has paid back.
        "order changed": sql`coalesce(${refundableCents} > 0, true)`,
      };
    case "receive":
      return {
        ...once("received"),
        ...notOnHold,
        ...notReceived,
        // The system takes the step once the order is overdue.
        "not yours": isSystem ? isOverdue() : isBuyer,
        "not handed over": hasStage("handed over"),
      };
    case "approve": {
      const isApproved = sql`${approvedAt} is not null`;
      return {
        ...goesOn,
        "done before": not(and(isBuyer, isApproved) ?? sql`0`),
        ...notOnHold,
        "not yours": isBuyer,
        "not protected": isProtected(db),
        "not handed over": ne(orders.stage, "reserved"),
        "already paid out": and(not(isApproved), not(isPaidOut(db)), not(isSettledAfterReceipt(db))),
        "all paid back": sql`${refundableCents} > 0`,
        "seller suspended": not(isSellerSuspended(db)),
      };
    }
    case "undo approval":
      return {
        ...goesOn,
        ...notOnHold,
        "not yours": isBuyer,
        "nothing to undo": and(hasStage("received"), sql`${approvedAt} is not null`),
        "too late to undo": and(sql`${approvedAt} > ${undoableSince().getTime()}`, not(isPaidOut(db))),
      };
    case "undo receipt":
      return {
        ...undo("received", "receipt undone", "handed over"),
        "not yours": isBuyer,
        "side left": isNull(goneSide(db)),
        reviewed: not(hasRow(db, reviews, eq(reviews.orderId, orders.id))),
        "already paid out": not(isPaidOut(db)),
      };
    case "extend":
      return {
        ...once("extended"),
        "not paid yet": not(isUnpaid(db)),
        ...notOnHold,
        ...notReceived,
        "no more time": and(
          isNotNull(orders.deadlineAt),
          isNull(orders.heldSince),
          or(and(hasStage("reserved"), isBuyer), and(hasStage("handed over"), isSeller(db, actor))),
          isNull(goneSide(db)),
        ),
        extended: not(hasStep(db, "extended")),
      };
    case "given back":
      return {
        "not found": isOfActor,
        "not yours": isSeller(db, actor),
        "done before": not(and(isDeviceBack, hasStep(db, "given back")) ?? sql`0`),
        "not protected": isProtected(db),
        "nothing to give back": isRefundWaiting(db),
      };
    case "cancel": {
      const by = actorInOrders(actor);
      const isInTime = (who: OrderActor) => inArray(orders.stage, cancellableStages(who));
      const isOwnRemoval = and(eq(removals.id, orders.removalId), eq(removals.actorId, actor.id));
      return {
        "not found": {
          buyer: isOfActor,
          // Any order.
          administrator: undefined,
          system: or(
            isOverdue(),
            isPaymentOverdue(db),
            hasSideLeft(db),
            hasRow(db, users, and(eq(users.id, sellerId), isSuspendedTooLong())),
            isBuyerSuspensionFinal(db),
          ),
        }[by],
        "done before": not(hasRow(db, removals, isOwnRemoval)),
        cancelled: isActive,
        ...notOnHold,
        ...notReceived,
        // An administrator who is a side has the rules of that side.
        "too late to cancel": sql`iif(${isSide(db, actor)}, ${isInTime("buyer")}, ${isInTime(by)})`,
      };
    }
  }
}

/** A column of `orders`: why a step would be refused now; null if it would not. */
export function firstRefusal(conditions: StepConditions) {
  const cases = Object.entries(conditions).flatMap(([refusal, condition]) =>
    condition ? [sql`when not coalesce(${condition}, 0) then ${refusal}`] : [],
  );
  return sql<OrderRefusal | null>`case ${sql.join(cases, sql` `)} end`;
}

/** Column of `orders`: the actor can cancel it now. */
export function canCancelColumn(db: Db, actor: Actor) {
  return sql<number>`${firstRefusal(stepConditions(db, actor, "cancel"))} is null`
    .mapWith(Boolean)
    .as("can_cancel");
}

/** Column of `orders` of the seller: why it cannot be handed over now; null if it can, so that it has a slip. */
export function handoverRefusalColumn(db: Db, seller: Actor) {
  const { "not found": _, "not yours": __, ...conditions } = stepConditions(db, seller, "hand over");
  return firstRefusal({ ...conditions, "done before": hasStage("reserved") }).as("handover_refusal");
}

/** Conditions for a batch: the order exists, and meets each condition. */
export function conditionsFor(db: Db, orderId: string, conditions: StepConditions): StepConditions {
  const is = conditionsOn(db, orderId);
  const stated = Object.entries(conditions).filter(([name, condition]) => condition || name === "not found");
  return Object.fromEntries(stated.map(([refusal, condition]) => [refusal, is(condition)]));
}

/** Takes a step, unless a condition of it does not hold. */
async function takeStep(
  db: Db,
  actor: Actor,
  orderId: string,
  intent: Exclude<OrderIntent, "allow rebooking">,
  statements: BatchItem<"sqlite">[],
): Promise<StepOutcome> {
  const conditions = conditionsFor(db, orderId, stepConditions(db, actor, intent));
  return { refusal: await batchUnless<OrderRefusal>(db, conditions, statements) };
}

/**
 * Marks a reserved order as handed over by its seller, or shipped in a parcel. Until it is received, they can correct
 * that by doing it again in another way; what they leave out stays.
 *
 * @param shown how it was handed over when the seller saw it, see `shownHandover`
 */
export async function handOver(
  db: Db,
  seller: Viewer,
  orderId: string,
  handover: Handover = {},
  shown?: string,
): Promise<StepOutcome> {
  const parcel = parcelAfter(handover, null);
  const conditions = {
    ...stepConditions(db, seller, "hand over"),
    "no parcel service": lacksParcelService(handover, null) ? sql`0` : undefined,
  };
  const refusal = await batchUnless<OrderRefusal>(db, conditionsFor(db, orderId, conditions), [
    addStep(db, seller, orderId, "handed over"),
    db
      .update(orders)
      .set({
        stage: "handed over",
        ...deadlinesOf("handed over"),
        previousDeadlineAt: sql`${orders.deadlineAt} + ${pausedUntilNow()}`,
        ...parcel,
      })
      .where(eq(orders.id, orderId)),
    notifyOfHandover(db, orderId, parcel, `handed over ${timeOrderedId()}`),
  ]);
  return refusal === "done before" ? changeHandover(db, seller, orderId, handover, shown) : { refusal };
}

/** Corrects how a device was handed over, for who did that, unless it has been changed since they saw it. */
async function changeHandover(
  db: Db,
  seller: Viewer,
  orderId: string,
  handover: Handover,
  shown?: string,
): Promise<StepOutcome> {
  const [order] = await db
    .select({ stage: orders.stage, parcel: parcelColumns })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order) return { refusal: "not found" };
  const saved = parcelOf(order.parcel);
  if (lacksParcelService(handover, saved)) return { refusal: "no parcel service" };
  const parcel = parcelAfter(handover, saved);
  const { parcelService, trackingNumber } = parcel ?? noParcel;
  const isParcel = (other: Parcel | typeof noParcel) =>
    sql`(${orders.parcelService} is ${other.parcelService} and ${orders.trackingNumber} is ${other.trackingNumber})`;
  const isAsShown = shown === undefined || shown === shownHandover(order.stage, saved);
  const is = conditionsOn(db, orderId);
  const refusal = await batchUnless<OrderRefusal>(
    db,
    {
      "done before": is(not(isParcel(parcel ?? noParcel))),
      cancelled: is(isActive),
      received: is(not(hasStage("received"))),
      "handover changed": is(isAsShown ? and(hasStage(order.stage), isParcel(saved ?? noParcel)) : sql`0`),
    },
    [
      ...replaceDeliveryStep(db, seller, orderId),
      db.update(orders).set({ parcelService, trackingNumber }).where(eq(orders.id, orderId)),
      notifyOfHandover(db, orderId, parcel, `handover changed ${timeOrderedId()}`),
    ],
  );
  return { refusal };
}

const noParcel = { parcelService: null, trackingNumber: null };

/** Takes a handover back that was just marked by mistake; more time that the seller has given since ends, too. */
export function undoHandover(db: Db, seller: Viewer, orderId: string): Promise<StepOutcome> {
  const order = eq(orders.id, orderId);
  return takeStep(db, seller, orderId, "undo handover", [
    db
      .delete(orderSteps)
      .where(
        and(
          eq(orderSteps.orderId, orderId),
          eq(orderSteps.actorId, seller.id),
          inArray(orderSteps.kind, ["handed over", "extended", "delivery changed"]),
        ),
      ),
    addStep(db, seller, orderId, "handover undone"),
    db
      .update(orders)
      .set({
        stage: "reserved",
        ...noParcel,
        ...previousDeadlines("reserved"),
        // The hold goes on: the deadline is that of now.
        heldSince: sql`iif(${orders.heldSince} is null, null, ${Date.now()})`,
      })
      .where(order),
    notifySide(db, "buyer", "handover undone", { order, event: `handover undone ${orderId}` }),
  ]);
}

function notifyOfHandover(db: Db, orderId: string, parcel: Parcel | null, event: string) {
  // With an open problem, its page says what comes next.
  const page = sql`iif(${hasOpenProblem(db)}, '/problem', '')`;
  const notification = { order: eq(orders.id, orderId), event, page };
  if (!parcel) return notifySide(db, "buyer", "handed over", notification);
  const { parcelService, trackingNumber } = parcel;
  const details = { parcelService, trackingNumber };
  return notifySide(db, "buyer", "shipped", { ...notification, details });
}

/**
 * Marks an order that was handed over as received: by its buyer, or by the system once it is overdue. The listing is
 * sold and loses its IMEI hash, so that the new owner may list the device.
 */
export function recordReceipt(db: Db, actor: Actor, orderId: string) {
  return takeStep(db, actor, orderId, "receive", receiptOf(db, actor, orderId));
}

/** Statements: the buyer has the device. */
function receiptOf(db: Db, actor: Actor, orderId: string): BatchItem<"sqlite">[] {
  const order = eq(orders.id, orderId);
  const isSystem = actor.id === system.id;
  const kind = isSystem ? "received by system" : "received";
  const told = isSystem ? (["buyer", "seller"] as const) : (["seller"] as const);
  const event = `received ${timeOrderedId()}`;
  return [
    addStep(db, actor, orderId, "received"),
    db
      .update(orders)
      .set({
        stage: "received",
        deadlineAt: null,
        reminderAt: null,
        previousDeadlineAt: sql`${orders.deadlineAt} + ${pausedUntilNow()}`,
        heldSince: null,
      })
      .where(order),
    db
      .update(phones)
      .set({ status: "sold", imeiHash: null })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order))),
    ...told.map((side) => notifySide(db, side, kind, { order, event })),
  ];
}

/** Condition on `orders`: a problem was settled after the receipt, by which the seller is paid, as `releaseTime` says. */
function isSettledAfterReceipt(db: Db) {
  const { orderId, kind, state, endedAt } = orderProblems;
  const isSettled = and(eq(orderId, orders.id), ne(kind, "bank dispute"), ne(state, "returned"));
  return hasRow(db, orderProblems, and(isSettled, sql`coalesce(${endedAt} >= ${receivedAt}, 0)`));
}

const approvedAt = sql`(select ${payments.approvedAt} from ${payments} where ${payments.orderId} = ${orders.id})`;

/**
 * The buyer has the device and is content with it, so that the seller of a protected order is paid at once, not days after
 * the receipt. It is also the receipt, unless that has been marked before.
 */
export async function approve(db: Db, buyer: Viewer, orderId: string): Promise<StepOutcome> {
  const [order] = await db.select({ stage: orders.stage }).from(orders).where(eq(orders.id, orderId));
  const approved = db.update(payments).set({ approvedAt: new Date() }).where(eq(payments.orderId, orderId));
  const conditions = {
    ...stepConditions(db, buyer, "approve"),
    "order changed": hasStage(order?.stage ?? "received"),
  };
  const refusal = await batchUnless<OrderRefusal>(db, conditionsFor(db, orderId, conditions), [
    ...(order?.stage === "received" ? [] : receiptOf(db, buyer, orderId)),
    approved,
  ]);
  return { refusal };
}

/** Takes back that the seller is paid at once, while that can be undone. The receipt stays. */
export function undoApproval(db: Db, buyer: Viewer, orderId: string): Promise<StepOutcome> {
  return takeStep(db, buyer, orderId, "undo approval", [disapprove(db, orderId)]);
}

function disapprove(db: Db, orderId: string) {
  return db.update(payments).set({ approvedAt: null }).where(eq(payments.orderId, orderId));
}

/**
 * Takes a receipt back that the buyer has just marked by mistake. A listing that its seller has deleted since is reserved
 * again, like any other; its IMEI, which the new owner may need, does not come back.
 */
export function undoReceipt(db: Db, buyer: Viewer, orderId: string): Promise<StepOutcome> {
  const order = eq(orders.id, orderId);
  const isStep = and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "received"));
  const isListing = inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order));
  const hidingRemoval = db.select({ id: phones.hiddenById }).from(phones).where(isListing);
  const isDeletion = and(eq(removals.kind, "phone"), inArray(removals.id, hidingRemoval));
  return takeStep(db, buyer, orderId, "undo receipt", [
    // Its day has one sale less.
    db
      .insert(uncountedDays)
      .select(
        db
          .select({ day: sql<number>`cast(${orderSteps.createdAt} / ${dayMs} as integer)`.as("day") })
          .from(orderSteps)
          .where(isStep),
      )
      .onConflictDoNothing(),
    db.delete(orderSteps).where(isStep),
    addStep(db, buyer, orderId, "receipt undone"),
    db
      .update(orders)
      .set({ stage: "handed over", ...previousDeadlines("handed over") })
      .where(order),
    holdOrders(db, and(order, isSellerSuspended(db)), new Date()),
    disapprove(db, orderId),
    db.update(removals).set({ undoneAt: new Date() }).where(isDeletion),
    db.update(phones).set({ status: "reserved", hiddenById: hidingDecision }).where(isListing),
    notifySide(db, "seller", "receipt undone", { order, event: `receipt undone ${orderId}` }),
  ]);
}

/**
 * Gives the other side more time, once for each order, unless that has left: the buyer while it is reserved; the seller
 * after the handover.
 */
export function extend(db: Db, viewer: Viewer, orderId: string) {
  const order = eq(orders.id, orderId);
  const later = (days: number) => sql`${orders.deadlineAt} + ${days * dayMs}`;
  const notification = { order, event: `extended ${timeOrderedId()}`, actorId: viewer.id };
  return takeStep(db, viewer, orderId, "extend", [
    addStep(db, viewer, orderId, "extended"),
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

/**
 * The seller has a device back whose buyer waits for the money of a protected order: it goes back at once. A problem about
 * that is solved.
 */
export async function recordGivenBack(db: Db, seller: Viewer, orderId: string): Promise<StepOutcome> {
  // Loaded on demand: few requests need it.
  const { endNotReturned } = await import("../listings/listing-edit.server.ts");
  const outcome = await takeStep(db, seller, orderId, "given back", [
    ...endNotReturned(db, seller, sql`${orderId}`, "closed"),
    addStep(db, seller, orderId, "given back"),
  ]);
  // If that fails, the job does it.
  if (!outcome.refusal) await (await import("../payments/payments.server.ts")).addDueTask(db, orderId);
  return outcome;
}

/** How long an order has been on hold, in milliseconds. */
const pausedUntilNow = () => sql`coalesce(${Date.now()} - ${orders.heldSince}, 0)`;

/** The columns of an order that goes back to a stage: its deadline is the one it had, but at least a day from now. */
function previousDeadlines(stage: keyof typeof orderDeadlines) {
  const { days, reminderDaysBefore } = orderDeadlines[stage];
  const now = Date.now();
  const deadline = sql`max(coalesce(${orders.previousDeadlineAt}, ${now + days * dayMs}), ${now + dayMs})`;
  const reminder = sql`${deadline} - ${reminderDaysBefore * dayMs}`;
  return {
    deadlineAt: deadline,
    reminderAt: sql`iif(${reminder} > ${now}, ${reminder}, null)`,
    previousDeadlineAt: null,
  };
}

/** Condition on `orders`: the stage has ended by itself. */
export function isOverdue(): SQL {
  return sql`${eq(orders.status, "active")} and ${lte(orders.deadlineAt, new Date())} and ${isNull(orders.heldSince)}`;
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

/** Changes where a buyer's reserved order is sent, and tells the seller. What is left out stays as it is. */
export async function changeDelivery(
  db: Db,
  buyer: Viewer,
  orderId: string,
  { address, phone }: Partial<BookingDetails>,
): Promise<{ refusal: OrderRefusal | null; modifiedCount: 0 | 1 }> {
  const is = conditionsOn(db, orderId);
  const [buyerAddress, phoneNumber] = [address ?? orders.buyerAddress, phone ?? orders.phoneNumber];
  const refusal = await batchUnless<OrderRefusal>(
    db,
    {
      "not found": is(eq(orders.buyerId, buyer.id)),
      cancelled: is(isActive),
      "too late to change delivery": is(eq(orders.stage, "reserved")),
      "done before": is(or(ne(orders.buyerAddress, buyerAddress), ne(orders.phoneNumber, phoneNumber))),
    },
    [
      ...replaceDeliveryStep(db, buyer, orderId),
      db
        .update(orders)
        .set({ buyerAddress: sql`${buyerAddress}`, phoneNumber: sql`${phoneNumber}` })
        .where(eq(orders.id, orderId)),
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
 * Cancels an order and makes its phone available, or removed if its seller has been removed since: for one of its sides or
 * an administrator, or for the system once it is overdue, a side has left, its seller has been suspended for too long, or its
 * buyer is suspended. After a handover its listing stays hidden until the seller lists it again.
 *
 * @param bySeller whether its seller may cancel it too
 * @param reason what an administrator who cancels it after the handover tells both sides
 */
export async function cancelOrder(
  db: Db,
  actor: Actor,
  orderId: string,
  { bySeller = false, reason = "" } = {},
): Promise<StepOutcome> {
  const removalId = timeOrderedId();
  const order = eq(orders.id, orderId);
  const event = `cancelled ${removalId}`;
  const tell = (side: OrderSide) => {
    const unpaid = isUnpaid(db);
    // The seller has not learned of a booking that was not paid.
    const isTold = side === "seller" ? and(order, not(unpaid)) : order;
    if (actor.id !== system.id)
      return [notifySide(db, side, "cancelled", { order: isTold, event, actorId: actor.id })];
    const isHeld = isNotNull(orders.heldSince);
    const isLate = lte(orders.deadlineAt, new Date());
    const isStaying = and(isTold, isNull(goneSide(db)), not(isPaymentOverdue(db)));
    const because = (cancelledFor: CancelCause, condition: SQL | undefined) =>
      notifySide(db, side, "cancelled", { order: condition, event, details: { cancelledFor } });
    const suspended = "reader suspended";
    return [
      notifySide(db, side, "cancelled by system", { order: and(isStaying, not(isHeld), isLate), event }),
      because(side === "buyer" ? "seller suspended" : suspended, and(isStaying, isHeld)),
      because(side === "buyer" ? suspended : "buyer barred", and(isStaying, not(isHeld), not(isLate))),
      because(
        side === "buyer" ? "seller left" : "buyer left",
        and(isTold, isNotNull(goneSide(db)), not(isPaymentOverdue(db))),
      ),
      ...(side === "buyer" ? [because("not paid in time", and(order, isPaymentOverdue(db)))] : []),
    ];
  };
  const conditions = {
    ...stepConditions(db, actor, "cancel"),
    ...(actorInOrders(actor) === "buyer" && !bySeller ? { "not found": eq(orders.buyerId, actor.id) } : {}),
    "reason required": reason ? undefined : hasStage("reserved"),
  };
  const refusal = await batchUnless<OrderRefusal>(db, conditionsFor(db, orderId, conditions), [
    addRemoval(db, actor, "order", { id: removalId, targetId: orderId }),
    db.update(orders).set({ status: "cancelled", removalId }).where(order),
    db
      .update(phones)
      .set({
        status: freedStatus(),
        // A listing that a moderator has hidden stays hidden.
        hiddenById: sql`coalesce(${phones.hiddenById}, ${removalOfSeller}, ${returnedOrderId})`,
      })
      .where(
        and(
          eq(phones.status, "reserved"),
          inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order)),
        ),
      ),
    addStep(db, actor, orderId, "cancelled", reason || null),
    addActivityOf(
      db,
      actor,
      "deleted order",
      orders,
      orders.productName,
      and(order, not(isSide(db, actor) ?? sql`0`)),
      removalId,
    ),
    ...tell("buyer"),
    ...tell("seller"),
  ]);
  return refusal ? { refusal } : { refusal, removalId };
}
