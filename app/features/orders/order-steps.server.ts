import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { orderSteps, orders, phones, removals, users } from "#app/db/schema.ts";
import type { OrderStage, OrderStepKind } from "#app/db/values.ts";
import { orderDeadlines } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { type Actor, system, type Viewer } from "../accounts/viewer.ts";
import { rebookingDelayMs } from "./booking.rules.ts";
import type { BookingDetails, Parcel } from "./booking.schema.ts";
import { canChangeDelivery, type OrderState, parcelText } from "./order.rules.ts";
import { notifySide } from "./order-notifications.server.ts";

/** A statement: writes down a step of an order. */
export function addStep(db: Db, actor: Pick<Actor, "id">, orderId: string, kind: OrderStepKind) {
  return db.insert(orderSteps).values({ orderId, kind, actorId: actor.id });
}

/** Condition on `orders`: the viewer is the seller. */
export function isSeller(db: Db, viewer: Pick<Actor, "id">) {
  return hasRow(db, phones, and(eq(phones.id, orders.phoneId), eq(phones.sellerId, viewer.id)));
}

/** Condition: the order is at a stage, and the other one holds. */
function isAt(db: Db, orderId: string, stage: OrderStage, condition: SQL | undefined) {
  const isOrder = and(eq(orders.id, orderId), eq(orders.status, "active"), eq(orders.stage, stage));
  return hasRow(db, orders, and(isOrder, condition));
}

/** Marks a reserved order as handed over, or shipped in a parcel; false if the viewer is not its seller or the stage is another. */
export async function handOver(
  db: Db,
  seller: Viewer,
  orderId: string,
  parcel: Parcel = null,
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
  const isAllowed = isSystem ? isOverdue() : eq(orders.buyerId, actor.id);
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
  const isAllowed = and(isOwn, isNotNull(orders.deadlineAt), not(wasExtended));
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

/** Condition on `orders` and `removals`: the buyer has cancelled, and cannot book the phone again yet. */
export function delaysRebooking(db: Db) {
  const isAllowed = hasRow(
    db,
    orderSteps,
    and(
      eq(orderSteps.orderId, orders.id),
      eq(orderSteps.kind, "rebooking allowed"),
      // The order may have been reinstated and cancelled again.
      gte(orderSteps.createdAt, removals.createdAt),
    ),
  );
  return and(
    eq(orders.status, "cancelled"),
    eq(removals.actorId, orders.buyerId),
    gt(removals.createdAt, new Date(Date.now() - rebookingDelayMs)),
    not(isAllowed),
  );
}

/** Condition on `orders`, `phones` and `removals`: the buyer could book the phone now if the seller allowed it. */
export function awaitsRebooking(db: Db) {
  const hasBuyer = hasRow(db, users, and(eq(users.id, orders.buyerId), isNull(users.removalId)));
  return and(delaysRebooking(db), eq(phones.status, "available"), isNull(phones.removalId), hasBuyer);
}

/** Lets a buyer who has cancelled book the phone again at once; false if the viewer is not its seller, or it changes nothing. */
export async function allowRebooking(db: Db, seller: Viewer, orderId: string): Promise<boolean> {
  const order = eq(orders.id, orderId);
  const awaiting = db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .innerJoin(removals, eq(removals.id, orders.removalId))
    .where(and(order, eq(phones.sellerId, seller.id), awaitsRebooking(db)));
  const refusal = await batchUnless(db, { refused: exists(awaiting) }, [
    addStep(db, seller, orderId, "rebooking allowed"),
    notifySide(db, "buyer", "rebooking allowed", { order, event: `rebooking allowed ${timeOrderedId()}` }),
  ]);
  return !refusal;
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
