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
  notExists,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, phones, removals, users } from "#app/db/schema.ts";
import type { OrderStepKind } from "#app/db/values.ts";
import { orderDeadlines } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { type Actor, system, type Viewer } from "../accounts/viewer.ts";
import { rebookingDelayMs } from "./booking.rules.ts";
import type { BookingDetails } from "./booking.schema.ts";
import { canChangeDelivery, type OrderState } from "./order.rules.ts";
import { notifySide } from "./order-notifications.server.ts";

/** The columns of a new order step, for `insert(orderSteps).select(…)` from the order's row. */
export function stepValues(
  actorId: string | SQLWrapper,
  kind: OrderStepKind,
  orderId: SQLWrapper,
  id = timeOrderedId(),
) {
  return {
    id: sql<string>`${id}`.as("id"),
    orderId: sql<string>`${orderId}`.as("order_id"),
    kind: sql<OrderStepKind>`${kind}`.as("kind"),
    actorId: sql<string>`${actorId}`.as("actor_id"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
  };
}

/** Condition on `bookings`: the viewer is the seller. */
export function isSeller(db: Db, viewer: Pick<Actor, "id">) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(phones)
      .where(and(eq(phones.id, bookings.phoneId), eq(phones.sellerId, viewer.id))),
  );
}

/** Marks a reserved order as handed over; false if the viewer is not its seller or the stage is another. */
export async function handOver(db: Db, seller: Viewer, orderId: string): Promise<boolean> {
  const stepId = timeOrderedId();
  const [inserted] = await db.batch([
    insertStep(db, seller, "handed over", stepId, orderId, "reserved", isSeller(db, seller)),
    db
      .update(bookings)
      .set({ stage: "handed over", ...deadlinesOf("handed over") })
      .where(isOrderOfStep(db, stepId)),
    notifySide(db, "buyer", "handed over", {
      order: isOrderOfStep(db, stepId),
      event: `handed over ${stepId}`,
    }),
  ]);
  return inserted.length > 0;
}

/**
 * Marks an order as received; false if the actor is not its buyer or it is not handed over, or if the system is too
 * early. The listing is sold and loses its IMEI hash, so that the new owner may list the device.
 */
export async function receive(db: Db, actor: Actor, orderId: string): Promise<boolean> {
  const isSystem = actor.id === system.id;
  const isAllowed = isSystem ? isOverdue() : eq(bookings.buyerId, actor.id);
  const stepId = timeOrderedId();
  const phoneOfOrder = db.select({ id: bookings.phoneId }).from(bookings).where(isOrderOfStep(db, stepId));
  const [inserted] = await db.batch([
    insertStep(db, actor, "received", stepId, orderId, "handed over", isAllowed),
    db
      .update(bookings)
      .set({ stage: "received", deadlineAt: null, reminderAt: null })
      .where(isOrderOfStep(db, stepId)),
    db.update(phones).set({ status: "sold", imeiHash: null }).where(inArray(phones.id, phoneOfOrder)),
    ...(isSystem ? (["buyer", "seller"] as const) : (["seller"] as const)).map((side) =>
      notifySide(db, side, isSystem ? "received by system" : "received", {
        order: isOrderOfStep(db, stepId),
        event: `received ${stepId}`,
      }),
    ),
  ]);
  return inserted.length > 0;
}

/**
 * Gives the other side more time, once for each order: the buyer to hand it over, the seller to confirm it; false if the
 * viewer is not that side, or the order was extended before.
 */
export async function extend(db: Db, viewer: Viewer, orderId: string, role: "buyer" | "seller") {
  const stepId = timeOrderedId();
  const stage = role === "buyer" ? "reserved" : "handed over";
  const isOwn = role === "buyer" ? eq(bookings.buyerId, viewer.id) : isSeller(db, viewer);
  const { extensionDays, reminderDaysBefore } = orderDeadlines[stage];
  const later = (days: number) => sql`${bookings.deadlineAt} + ${days * dayMs}`;
  const [inserted] = await db.batch([
    insertStep(db, viewer, "extended", stepId, orderId, stage, and(isOwn, isNotNull(bookings.deadlineAt))),
    db
      .update(bookings)
      .set({ deadlineAt: later(extensionDays), reminderAt: later(extensionDays - reminderDaysBefore) })
      .where(isOrderOfStep(db, stepId)),
    notifySide(db, role === "buyer" ? "seller" : "buyer", "extended", {
      order: isOrderOfStep(db, stepId),
      event: `extended ${stepId}`,
    }),
  ]);
  return inserted.length > 0;
}

/** The columns of an order that enters a stage now. */
export function deadlinesOf(stage: keyof typeof orderDeadlines) {
  const { days, reminderDaysBefore } = orderDeadlines[stage];
  const at = Date.now() + days * dayMs;
  return { deadlineAt: new Date(at), reminderAt: new Date(at - reminderDaysBefore * dayMs) };
}

/** Condition on `bookings`: the stage has ended by itself. */
export function isOverdue(now = new Date()): SQL {
  return sql`${eq(bookings.status, "active")} and ${lte(bookings.deadlineAt, now)}`;
}

/** Condition on `bookings` and `removals`: the buyer has cancelled, and cannot book the phone again yet. */
export function delaysRebooking(db: Db) {
  const allowed = db
    .select({ id: orderSteps.id })
    .from(orderSteps)
    .where(
      and(
        eq(orderSteps.orderId, bookings.id),
        eq(orderSteps.kind, "rebooking allowed"),
        // The order may have been reinstated and cancelled again.
        gte(orderSteps.createdAt, removals.createdAt),
      ),
    );
  return and(
    eq(bookings.status, "cancelled"),
    eq(removals.actorId, bookings.buyerId),
    gt(removals.createdAt, new Date(Date.now() - rebookingDelayMs)),
    notExists(allowed),
  );
}

/** Condition on `bookings`, `phones` and `removals`: the buyer could book the phone now if the seller allowed it. */
export function awaitsRebooking(db: Db) {
  const buyer = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, bookings.buyerId), isNull(users.removalId)));
  return and(delaysRebooking(db), eq(phones.status, "available"), isNull(phones.removalId), exists(buyer));
}

/** Lets a buyer who has cancelled book the phone again at once; false if the viewer is not its seller, or it changes nothing. */
export async function allowRebooking(db: Db, seller: Viewer, orderId: string): Promise<boolean> {
  const stepId = timeOrderedId();
  const [inserted] = await db.batch([
    db
      .insert(orderSteps)
      .select(
        db
          .select(stepValues(seller.id, "rebooking allowed", bookings.id, stepId))
          .from(bookings)
          .innerJoin(phones, eq(phones.id, bookings.phoneId))
          .innerJoin(removals, eq(removals.id, bookings.removalId))
          .where(and(eq(bookings.id, orderId), eq(phones.sellerId, seller.id), awaitsRebooking(db))),
      )
      .returning({ id: orderSteps.id }),
    notifySide(db, "buyer", "rebooking allowed", {
      order: isOrderOfStep(db, stepId),
      event: `rebooking allowed ${stepId}`,
    }),
  ]);
  return inserted.length > 0;
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
  const stepId = timeOrderedId();
  const isOwn = eq(bookings.buyerId, buyer.id);
  const isDifferent = or(ne(bookings.buyerAddress, address), ne(bookings.phone, phone));
  const [inserted] = await db.batch([
    insertStep(db, buyer, "delivery changed", stepId, orderId, "reserved", sql`${isOwn} and ${isDifferent}`),
    db.update(bookings).set({ buyerAddress: address, phone }).where(isOrderOfStep(db, stepId)),
    db
      .delete(orderSteps)
      .where(
        and(
          eq(orderSteps.kind, "delivery changed"),
          ne(orderSteps.id, stepId),
          inArray(
            orderSteps.orderId,
            db.select({ id: bookings.id }).from(bookings).where(isOrderOfStep(db, stepId)),
          ),
        ),
      ),
  ]);
  if (inserted.length > 0) return { done: true, modifiedCount: 1 };
  const [order] = await db
    .select({ status: bookings.status, stage: bookings.stage })
    .from(bookings)
    .where(and(eq(bookings.id, orderId), isOwn));
  if (!order) return null;
  return canChangeDelivery("buyer", order) ? { done: true, modifiedCount: 0 } : { done: false, order };
}

/** Inserts a step if the order is at the stage before it. The other statements of the batch depend on that row. */
function insertStep(
  db: Db,
  actor: Pick<Actor, "id">,
  kind: "handed over" | "received" | "delivery changed" | "extended",
  stepId: string,
  orderId: string,
  from: "reserved" | "handed over",
  isAllowed: SQLWrapper | undefined,
) {
  return db
    .insert(orderSteps)
    .select(
      db
        .select(stepValues(actor.id, kind, bookings.id, stepId))
        .from(bookings)
        .where(
          and(
            eq(bookings.id, orderId),
            eq(bookings.status, "active"),
            eq(bookings.stage, from),
            sql`${isAllowed}`,
          ),
        ),
    )
    .onConflictDoNothing()
    .returning({ id: orderSteps.id });
}

/** Condition on `bookings`: the order of a step. */
function isOrderOfStep(db: Db, stepId: string) {
  return inArray(
    bookings.id,
    db.select({ id: orderSteps.orderId }).from(orderSteps).where(eq(orderSteps.id, stepId)),
  );
}
