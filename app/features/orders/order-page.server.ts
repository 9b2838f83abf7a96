import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, phones, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { actsOpenTo, type OrderAct, type OrderRole } from "./order.rules.ts";
import { handOver, receive } from "./order-steps.server.ts";
import { cancelOrder } from "./orders.server.ts";

/** An order as its page shows it; price in cents. */
export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

/** A step of an order: who took it, what they are to the order, and whether it was the viewer. */
export type OrderStep = OrderDetails["steps"][number];

/** More than any order has seen. */
const mostSteps = 100;

/**
 * An order with its history, for its buyer, the seller of its phone, or an administrator.
 *
 * The seller reads who has booked and where it should go, until the order is cancelled: then it is no longer
 * theirs to know.
 *
 * @returns null when there is no such order of theirs
 */
export async function findOrder(db: Db, viewer: Viewer, orderId: string) {
  const [[order], steps] = await db.batch([
    db
      .select({
        id: bookings.id,
        phoneId: bookings.phoneId,
        buyerId: bookings.buyerId,
        productName: bookings.productName,
        ram: bookings.ram,
        rom: bookings.rom,
        priceCents: bookings.priceCents,
        buyerName: bookings.buyerName,
        buyerAddress: bookings.buyerAddress,
        email: bookings.email,
        phone: bookings.phone,
        status: bookings.status,
        stage: bookings.stage,
        sellerId: phones.sellerId,
        sellerName: users.name,
        /** Whether the listing can still be looked at. */
        listed: sql<number>`${phones.id} is not null and ${phones.removalId} is null`.mapWith(Boolean),
      })
      .from(bookings)
      .leftJoin(phones, eq(phones.id, bookings.phoneId))
      .leftJoin(users, eq(users.id, phones.sellerId))
      .where(
        and(
          eq(bookings.id, orderId),
          viewer.userType === "Admin"
            ? undefined
            : or(eq(bookings.buyerId, viewer.id), eq(phones.sellerId, viewer.id)),
        ),
      ),
    db
      .select({
        id: orderSteps.id,
        kind: orderSteps.kind,
        at: orderSteps.createdAt,
        actorId: orderSteps.actorId,
        actorName: users.name,
      })
      .from(orderSteps)
      .leftJoin(users, eq(users.id, orderSteps.actorId))
      .where(eq(orderSteps.orderId, orderId))
      .orderBy(desc(orderSteps.id))
      .limit(mostSteps),
  ]);
  if (!order) return null;
  const { buyerId, sellerId, buyerAddress, email, phone, ...shown } = order;
  const roleOf = (id: string): OrderRole =>
    id === buyerId ? "buyer" : id === sellerId ? "seller" : "administrator";
  const role = roleOf(viewer.id);
  const mayKnow = role !== "seller" || order.status === "active";
  return {
    ...shown,
    role,
    delivery: mayKnow ? { address: buyerAddress, email, phone } : null,
    mayDo: actsOpenTo(role, order),
    steps: steps.reverse().map(({ actorId, actorName, ...step }) => ({
      ...step,
      by: roleOf(actorId),
      byViewer: actorId === viewer.id,
      actorName: actorName ?? "",
    })),
  };
}

/** How an act on an order went. */
export type ActOutcome =
  /** Done, now or by the same press a moment ago. */
  | { done: true; removalId?: string }
  /** Not done, and how the order stands. */
  | { done: false; order: OrderDetails };

/**
 * Hands over, receives or cancels, whichever the viewer may do; of two that exclude each other exactly one comes
 * about. The same act repeated by the one who did it is confirmed again.
 *
 * @returns null when there is no such order of theirs
 */
export async function actOnOrder(
  db: Db,
  viewer: Viewer,
  orderId: string,
  act: OrderAct,
): Promise<ActOutcome | null> {
  if (act === "hand over" && (await handOver(db, viewer, orderId))) return { done: true };
  if (act === "receive" && (await receive(db, viewer, orderId))) return { done: true };
  if (act === "cancel") {
    // As its buyer or an administrator, or as its seller: somebody who is both is let through either way.
    const removalId =
      (await cancelOrder(db, viewer, orderId)) ?? (await cancelOrder(db, viewer, orderId, "as its seller"));
    if (removalId) return { done: true, removalId };
  }
  const order = await findOrder(db, viewer, orderId);
  if (!order) return null;
  return wasDone(order, act) ? { done: true } : { done: false, order };
}

/** Whether the viewer has done this already, and it still holds. */
function wasDone({ status, stage, steps }: OrderDetails, act: OrderAct): boolean {
  if (act === "cancel") return status === "cancelled" && lastOf(steps, "cancelled")?.byViewer === true;
  if (status === "cancelled") return false;
  const kind = act === "hand over" ? "handed over" : "received";
  return (stage === kind || stage === "received") && lastOf(steps, kind)?.byViewer === true;
}

function lastOf(steps: OrderStep[], kind: OrderStep["kind"]) {
  return steps.findLast((step) => step.kind === kind);
}

/**
 * Whether an order stands that is the viewer's own, or for an administrator anybody's, and has come too far for
 * them to cancel it.
 */
export async function isPastCancelling(db: Db, viewer: Viewer, orderId: string): Promise<boolean> {
  const isAdmin = viewer.userType === "Admin";
  const [order] = await db
    .select({ stage: bookings.stage })
    .from(bookings)
    .where(
      and(
        eq(bookings.id, orderId),
        eq(bookings.status, "active"),
        isNull(bookings.removalId),
        isAdmin ? undefined : eq(bookings.buyerId, viewer.id),
      ),
    );
  return order?.stage === "received" || (order?.stage === "handed over" && !isAdmin);
}
