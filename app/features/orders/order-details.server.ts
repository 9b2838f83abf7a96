import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orderSteps, orders, phones, removals, users } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import { system, type Viewer } from "../accounts/viewer.ts";
import { pictureColumns } from "../listings/phones.server.ts";
import { allowRebooking, awaitsRebooking } from "./booking.server.ts";
import {
  allowedIntents,
  canCancel,
  canChangeDelivery,
  type OrderActor,
  type OrderIntent,
  type OrderRole,
  orderRefusalText,
  type Parcel,
  parcelOf,
  roleInOrders,
  warrantyEnd,
} from "./order.rules.ts";
import {
  cancelOrder,
  extend,
  handOver,
  hasEndingProblem,
  hasOpenProblem,
  parcelColumns,
  receive,
} from "./order-steps.server.ts";

/** An order as its page shows it; price in cents. */
export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

export type OrderStep = OrderDetails["steps"][number];

const maxSteps = 100;

/**
 * Finds an order with its history, for its buyer, its seller or an administrator. The seller sees the delivery details
 * until the order is cancelled.
 */
export async function findOrder(db: Db, viewer: Viewer, orderId: string) {
  const [[order], steps] = await db.batch([
    db
      .select({
        id: orders.id,
        phoneId: orders.phoneId,
        buyerId: orders.buyerId,
        productName: orders.productName,
        ram: orders.ram,
        rom: orders.rom,
        priceCents: orders.priceCents,
        buyerName: orders.buyerName,
        buyerAddress: orders.buyerAddress,
        email: orders.email,
        phone: orders.phone,
        status: orders.status,
        stage: orders.stage,
        hasProblem: hasOpenProblem(db).mapWith(Boolean).as("has_problem"),
        isReturned: hasEndingProblem(db).mapWith(Boolean).as("is_returned"),
        awaitsRebooking: sql`${awaitsRebooking(db)}`.mapWith(Boolean),
        sellerId: phones.sellerId,
        sellerName: users.name,
        createdAt: orders.createdAt,
        deadlineAt: orders.deadlineAt,
        parcel: parcelColumns,
        picture: pictureColumns,
        sellerHasPage: sql<number>`${users.id} is not null and ${users.removalId} is null`.mapWith(Boolean),
        /** Whether the listing still has a page. */
        listed: sql<number>`${phones.id} is not null and ${phones.hiddenById} is null`.mapWith(Boolean),
      })
      .from(orders)
      .leftJoin(phones, eq(phones.id, orders.phoneId))
      .leftJoin(users, eq(users.id, phones.sellerId))
      .leftJoin(removals, eq(removals.id, orders.removalId))
      .where(
        and(
          eq(orders.id, orderId),
          may(viewer, "manage orders")
            ? undefined
            : or(eq(orders.buyerId, viewer.id), eq(phones.sellerId, viewer.id)),
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
      .limit(maxSteps),
  ]);
  if (!order) return null;
  const {
    buyerId,
    sellerId,
    buyerAddress,
    email,
    phone,
    deadlineAt,
    awaitsRebooking: mayAllow,
    ...shown
  } = order;
  const isRunning = order.status === "active" && !order.hasProblem;
  const deadline = (isRunning && deadlineAt?.toISOString()) || null;
  const isReceived = order.status === "active" && order.stage === "received";
  const received = isReceived && steps.find(({ kind }) => kind === "received");
  const isExtended = steps.some(({ kind }) => kind === "extended");
  const roleOf = (id: string): OrderRole =>
    id === buyerId ? "buyer" : id === sellerId ? "seller" : "administrator";
  const actorOf = (id: string): OrderActor => (id === system.id ? "system" : roleOf(id));
  const role = roleOf(viewer.id);
  const intents = allowedIntents(role, { ...order, deadline, isExtended });
  if (mayAllow && role === "seller") intents.push("allow rebooking");
  const showsDelivery = role !== "seller" || order.status === "active";
  return {
    ...shown,
    sellerId,
    role,
    delivery: showsDelivery ? { address: buyerAddress, email, phone } : null,
    /** Null unless it was shipped. */
    parcel: parcelOf(order.parcel),
    deadline,
    /** An ISO time; null unless the buyer has the device. */
    warrantyUntil: received ? warrantyEnd(received.at).toISOString() : null,
    isExtended,
    intents,
    canChangeDelivery: canChangeDelivery(role, order),
    steps: steps.reverse().map(({ actorId, actorName, ...step }) => ({
      ...step,
      by: actorOf(actorId),
      byViewer: actorId === viewer.id,
      actorName: actorName ?? "",
    })),
  };
}

type OrderOutcome =
  /** Also if the viewer had done it before. */
  { done: true; removalId?: string } | { done: false; order: OrderDetails };

/**
 * Applies an intent to an order; null if the viewer has no such order. Of concurrent intents that exclude each other,
 * one succeeds. The same intent repeated by the same user succeeds again.
 *
 * @param parcel what a device that is handed over is shipped in
 */
export async function handleOrderIntent(
  db: Db,
  viewer: Viewer,
  orderId: string,
  intent: OrderIntent,
  parcel: Parcel | null = null,
): Promise<OrderOutcome | null> {
  if (intent === "hand over" && (await handOver(db, viewer, orderId, parcel))) return { done: true };
  if (intent === "receive" && (await receive(db, viewer, orderId))) return { done: true };
  if (intent === "extend") {
    const done =
      (await extend(db, viewer, orderId, "buyer")) || (await extend(db, viewer, orderId, "seller"));
    if (done) return { done: true };
  }
  if (intent === "allow rebooking" && (await allowRebooking(db, viewer, orderId))) return { done: true };
  if (intent === "cancel") {
    // A viewer may be both an administrator and the seller.
    const removalId =
      (await cancelOrder(db, viewer, orderId)) ?? (await cancelOrder(db, viewer, orderId, "seller"));
    if (removalId) return { done: true, removalId };
  }
  const order = await findOrder(db, viewer, orderId);
  if (!order) return null;
  return wasDone(order, intent) ? { done: true } : { done: false, order };
}

/** Whether the viewer did this before and it is still in effect. */
function wasDone({ status, stage, steps }: OrderDetails, intent: OrderIntent): boolean {
  if (intent === "cancel") return status === "cancelled" && lastOf(steps, "cancelled")?.byViewer === true;
  if (intent === "allow rebooking") return lastOf(steps, "rebooking allowed")?.byViewer === true;
  if (status === "cancelled") return false;
  if (intent === "extend") return lastOf(steps, "extended")?.byViewer === true;
  const kind = intent === "hand over" ? "handed over" : "received";
  return (stage === kind || stage === "received") && lastOf(steps, kind)?.byViewer === true;
}

function lastOf(steps: OrderStep[], kind: OrderStep["kind"]) {
  return steps.findLast((step) => step.kind === kind);
}

/** Why the viewer cannot cancel an active order of theirs, or any as an administrator; null if there is none that they could not. */
export async function cancelRefusal(db: Db, viewer: Viewer, orderId: string): Promise<string | null> {
  const [order] = await db
    .select({
      status: orders.status,
      stage: orders.stage,
      buyerId: orders.buyerId,
      hasProblem: hasOpenProblem(db).mapWith(Boolean).as("has_problem"),
    })
    .from(orders)
    .where(
      and(
        eq(orders.id, orderId),
        eq(orders.status, "active"),
        isNull(orders.removalId),
        may(viewer, "manage orders") ? undefined : eq(orders.buyerId, viewer.id),
      ),
    );
  if (!order) return null;
  const role = order.buyerId === viewer.id ? "buyer" : roleInOrders(viewer);
  return canCancel(role, order) ? null : orderRefusalText("cancel", { ...order, isExtended: false });
}
