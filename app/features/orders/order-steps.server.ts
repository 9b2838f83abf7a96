import {
  and,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { notifications, orderProblems, orderSteps, orders, phones, users } from "#app/db/schema.ts";
import type { NotificationKind, OrderStage, OrderStepKind } from "#app/db/values.ts";
import { orderDeadlines } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";
import { system } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { addRemoval } from "../audit/removals.server.ts";
import { removalOfSeller } from "../listings/listing-removal.server.ts";
import { notificationValues } from "../notifications/notify.server.ts";
import type { BookingDetails } from "./booking.schema.ts";
import {
  actorInOrders,
  canChangeDelivery,
  cancellableStages,
  type OrderState,
  type Parcel,
  parcelText,
} from "./order.rules.ts";

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

/** Condition on `orders`: a problem is open, so the order is on hold. */
export function hasOpenProblem(db: Db) {
  return hasRow(db, orderProblems, and(eq(orderProblems.orderId, orders.id), isNull(orderProblems.endedAt)));
}

/** Condition on `orders`: both sides agreed, or moderators decided, that a problem ends it. */
export function hasEndingProblem(db: Db) {
  return hasRow(
    db,
    orderProblems,
    and(eq(orderProblems.orderId, orders.id), eq(orderProblems.state, "returned")),
  );
}

/** Condition: the order is at a stage, and the other one holds. */
function isAt(db: Db, orderId: string, stage: OrderStage, condition: SQL | undefined) {
  const isOrder = and(eq(orders.id, orderId), eq(orders.status, "active"), eq(orders.stage, stage));
  return hasRow(db, orders, and(isOrder, condition));
}

/** Marks a reserved order as handed over, or shipped in a parcel; false if the viewer is not its seller, or the stage is another. */
export async function handOver(
  db: Db,
  seller: Viewer,
  orderId: string,
  parcel: Parcel | null = null,
): Promise<boolean> {
  const order = eq(orders.id, orderId);
  const notification = { order, event: `handed over ${orderId}` };
  const refusal = await batchUnless(db, { refused: isAt(db, orderId, "reserved", isSeller(db, seller)) }, [
    addStep(db, seller, orderId, "handed over"),
    db
      .update(orders)
      .set({ stage: "handed over", ...deadlinesOf("handed over"), ...parcel })
      .where(order),
    parcel
      ? notifySide(db, "buyer", "shipped", {
          ...notification,
          subject: sql`${`${parcelText(parcel)}: `} || ${orders.productName}`,
        })
      : notifySide(db, "buyer", "handed over", notification),
  ]);
  return !refusal;
}

/**
 * Marks an order as received; false if the actor is not its buyer or it is not handed over, or if the system is too
 * early. The listing is sold and loses its IMEI hash, so that the new owner may list the device.
 */
export async function receive(db: Db, actor: Actor, orderId: string): Promise<boolean> {
  const isSystem = actor.id === system.id;
  const isAllowed = and(isSystem ? isOverdue() : eq(orders.buyerId, actor.id), not(hasOpenProblem(db)));
  const order = eq(orders.id, orderId);
  const kind = isSystem ? "received by system" : "received";
  const told = isSystem ? (["buyer", "seller"] as const) : (["seller"] as const);
  const refusal = await batchUnless(db, { refused: isAt(db, orderId, "handed over", isAllowed) }, [
    addStep(db, actor, orderId, "received"),
    db.update(orders).set({ stage: "received", deadlineAt: null, reminderAt: null }).where(order),
    db
      .update(phones)
      .set({ status: "sold", imeiHash: null })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order))),
    ...told.map((side) => notifySide(db, side, kind, { order, event: `received ${orderId}` })),
  ]);
  return !refusal;
}

/**
 * Gives the other side more time, once for each order: the buyer to hand it over, the seller to confirm it; false if the
 * viewer is not that side, or the order was extended before.
 */
export async function extend(db: Db, viewer: Viewer, orderId: string, role: "buyer" | "seller") {
  const stage = role === "buyer" ? "reserved" : "handed over";
  const isOwn = role === "buyer" ? eq(orders.buyerId, viewer.id) : isSeller(db, viewer);
  const wasExtended = hasRow(
    db,
    orderSteps,
    and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "extended")),
  );
  const isAllowed = and(isOwn, isNotNull(orders.deadlineAt), not(wasExtended), not(hasOpenProblem(db)));
  const { extensionDays, reminderDaysBefore } = orderDeadlines[stage];
  const later = (days: number) => sql`${orders.deadlineAt} + ${days * dayMs}`;
  const order = eq(orders.id, orderId);
  const refusal = await batchUnless(db, { refused: isAt(db, orderId, stage, isAllowed) }, [
    addStep(db, viewer, orderId, "extended"),
    db
      .update(orders)
      .set({ deadlineAt: later(extensionDays), reminderAt: later(extensionDays - reminderDaysBefore) })
      .where(order),
    notifySide(db, role === "buyer" ? "seller" : "buyer", "extended", {
      order,
      event: `extended ${orderId}`,
    }),
  ]);
  return !refusal;
}

/** The columns of an order that enters a stage now. */
export function deadlinesOf(stage: keyof typeof orderDeadlines) {
  const { days, reminderDaysBefore } = orderDeadlines[stage];
  const at = Date.now() + days * dayMs;
  return { deadlineAt: new Date(at), reminderAt: new Date(at - reminderDaysBefore * dayMs) };
}

/** Condition on `orders`: the stage has ended by itself. */
export function isOverdue(now = new Date()): SQL {
  return sql`${eq(orders.status, "active")} and ${lte(orders.deadlineAt, now)}`;
}

type DeliveryOutcome = { done: true; modifiedCount: 0 | 1 } | { done: false; order: OrderState };

/**
 * Changes where a reserved order is sent. Of the steps that this adds, an order keeps the newest.
 *
 * @returns the state of the order if it is too late; null if the viewer has no such order
 */
export async function changeDelivery(
  db: Db,
  buyer: Viewer,
  orderId: string,
  { address, phone }: BookingDetails,
): Promise<DeliveryOutcome | null> {
  const isOwn = eq(orders.buyerId, buyer.id);
  const isDifferent = or(ne(orders.buyerAddress, address), ne(orders.phone, phone));
  const isAllowed = and(isOwn, isDifferent);
  const isEarlierChange = and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "delivery changed"));
  const refusal = await batchUnless(db, { refused: isAt(db, orderId, "reserved", isAllowed) }, [
    db.delete(orderSteps).where(isEarlierChange),
    addStep(db, buyer, orderId, "delivery changed"),
    db.update(orders).set({ buyerAddress: address, phone }).where(eq(orders.id, orderId)),
  ]);
  if (!refusal) return { done: true, modifiedCount: 1 };
  const [order] = await db
    .select({ status: orders.status, stage: orders.stage })
    .from(orders)
    .where(and(eq(orders.id, orderId), isOwn));
  if (!order) return null;
  return canChangeDelivery("buyer", order) ? { done: true, modifiedCount: 0 } : { done: false, order };
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
    page?: "" | "/problem";
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
 * Cancels an order and makes its phone available, or removed if its seller has been removed since.
 *
 * @param role "seller" for the seller, who may be an administrator too
 * @returns the removal's id, to undo it; null if there is no such order that the actor may cancel, the system only when
 *   its time is over; nobody may while a problem is open
 */
export async function cancelOrder(
  db: Db,
  actor: Actor,
  orderId: string,
  role?: "seller",
): Promise<string | null> {
  const removalId = timeOrderedId();
  const order = eq(orders.id, orderId);
  const by = role ?? actorInOrders(actor);
  const isParty = { buyer: eq(orders.buyerId, actor.id), seller: isSeller(db, actor) };
  const isAllowed = and(
    order,
    eq(orders.status, "active"),
    inArray(orders.stage, cancellableStages(by)),
    not(hasOpenProblem(db)),
    // An administrator who is the buyer has the buyer's rules.
    by === "administrator"
      ? or(not(isParty.buyer), inArray(orders.stage, cancellableStages("buyer")))
      : undefined,
    by === "buyer" || by === "seller" ? isParty[by] : undefined,
    by === "system" ? isOverdue() : undefined,
  );
  const kind = by === "system" ? "cancelled by system" : "cancelled";
  const notification = { order, event: `cancelled ${removalId}`, actorId: actor.id };
  const refusal = await batchUnless(db, { refused: hasRow(db, orders, isAllowed) }, [
    addRemoval(db, actor, "order", { id: removalId, targetId: orderId }),
    db.update(orders).set({ status: "cancelled", removalId }).where(order),
    db
      .update(phones)
      .set({
        status: "available",
        // A listing that a moderator has hidden stays hidden.
        hiddenById: sql`coalesce(${phones.hiddenById}, ${removalOfSeller})`,
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
      and(order, not(isParty.buyer), not(isParty.seller)),
    ),
    notifySide(db, "buyer", kind, notification),
    notifySide(db, "seller", kind, notification),
  ]);
  return refusal ? null : removalId;
}
