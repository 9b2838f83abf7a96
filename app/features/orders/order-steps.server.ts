import { and, eq, exists, inArray, ne, or, type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, phones } from "#app/db/schema.ts";
import type { OrderStepKind } from "#app/db/values.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";
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
    db.update(bookings).set({ stage: "handed over" }).where(isOrderOfStep(db, stepId)),
    notifySide(db, "buyer", "handed over", {
      order: isOrderOfStep(db, stepId),
      event: `handed over ${stepId}`,
    }),
  ]);
  return inserted.length > 0;
}

/**
 * Marks an order as received; false if the viewer is not its buyer or it is not handed over. The listing is sold and
 * loses its IMEI hash, so that the new owner may list the device.
 */
export async function receive(db: Db, buyer: Viewer, orderId: string): Promise<boolean> {
  const stepId = timeOrderedId();
  const phoneOfOrder = db.select({ id: bookings.phoneId }).from(bookings).where(isOrderOfStep(db, stepId));
  const [inserted] = await db.batch([
    insertStep(db, buyer, "received", stepId, orderId, "handed over", eq(bookings.buyerId, buyer.id)),
    db.update(bookings).set({ stage: "received" }).where(isOrderOfStep(db, stepId)),
    db.update(phones).set({ status: "sold", imeiHash: null }).where(inArray(phones.id, phoneOfOrder)),
    notifySide(db, "seller", "received", {
      order: isOrderOfStep(db, stepId),
      event: `received ${stepId}`,
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
  actor: Viewer,
  kind: "handed over" | "received" | "delivery changed",
  stepId: string,
  orderId: string,
  from: "reserved" | "handed over",
  isAllowed: SQLWrapper,
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
    .returning({ id: orderSteps.id });
}

/** Condition on `bookings`: the order of a step. */
function isOrderOfStep(db: Db, stepId: string) {
  return inArray(
    bookings.id,
    db.select({ id: orderSteps.orderId }).from(orderSteps).where(eq(orderSteps.id, stepId)),
  );
}
