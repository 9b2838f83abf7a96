import { and, eq, exists, inArray, type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, phones } from "#app/db/schema.ts";
import type { OrderStepKind } from "#app/db/values.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** The columns of a new order step, for `insert(orderSteps).select(…)` from the order's row. */
export function stepRecord(
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

/** Whether the phone of an order is the viewer's own listing, for a condition on `bookings`. */
export function sellsIt(db: Db, viewer: Viewer) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(phones)
      .where(and(eq(phones.id, bookings.phoneId), eq(phones.sellerId, viewer.id))),
  );
}

/**
 * Says that a seller has handed over what is reserved at their own listing.
 *
 * @returns whether it came about: not when the order is cancelled, further, or not theirs
 */
export async function handOver(db: Db, seller: Viewer, orderId: string): Promise<boolean> {
  const stepId = timeOrderedId();
  const [taken] = await db.batch([
    takeStep(db, seller, "handed over", stepId, orderId, "reserved", sellsIt(db, seller)),
    db.update(bookings).set({ stage: "handed over" }).where(ofStep(db, stepId)),
  ]);
  return taken.length > 0;
}

/**
 * Says that a buyer has received what was handed over: the listing is sold, off the shelves, and forgets its IMEI,
 * so that the device may be offered again by its new owner.
 *
 * @returns whether it came about: not when the order is cancelled, not yet or already there, or not theirs
 */
export async function receive(db: Db, buyer: Viewer, orderId: string): Promise<boolean> {
  const stepId = timeOrderedId();
  const phoneOfIt = db.select({ id: bookings.phoneId }).from(bookings).where(ofStep(db, stepId));
  const [taken] = await db.batch([
    takeStep(db, buyer, "received", stepId, orderId, "handed over", eq(bookings.buyerId, buyer.id)),
    db.update(bookings).set({ stage: "received" }).where(ofStep(db, stepId)),
    db.update(phones).set({ status: "sold", imeiHash: null }).where(inArray(phones.id, phoneOfIt)),
  ]);
  return taken.length > 0;
}

/** Writes a step down if the order is at the stage before it; what else the batch does hangs on that row. */
function takeStep(
  db: Db,
  actor: Viewer,
  kind: "handed over" | "received",
  stepId: string,
  orderId: string,
  from: "reserved" | "handed over",
  own: SQLWrapper,
) {
  return db
    .insert(orderSteps)
    .select(
      db
        .select(stepRecord(actor.id, kind, bookings.id, stepId))
        .from(bookings)
        .where(
          and(eq(bookings.id, orderId), eq(bookings.status, "active"), eq(bookings.stage, from), sql`${own}`),
        ),
    )
    .returning({ id: orderSteps.id });
}

/** The order that a step has been written for. */
function ofStep(db: Db, stepId: string) {
  return inArray(
    bookings.id,
    db.select({ id: orderSteps.orderId }).from(orderSteps).where(eq(orderSteps.id, stepId)),
  );
}
