import { and, desc, eq, isNotNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orderSteps, orders, phones, removals, users } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import { system, type Viewer } from "../accounts/viewer.ts";
import { warrantyUntil } from "../audit/order-windows.server.ts";
import { attributeColumns, pictureColumns } from "../listings/listings.server.ts";
import { isProtected, isUnpaid, refundableCents, returnUntil } from "../payments/protected-orders.server.ts";
import { countsAgainstSellerColumn } from "../reviews/seller-record.server.ts";
import { allowRebooking, rebookingConditions } from "./booking.server.ts";
import { waitRefusal } from "./booking-refusal.ts";
import {
  canChangeDelivery,
  canChangeHandover,
  canChangeMind,
  type Handover,
  type OrderActor,
  type OrderRole,
  parcelOf,
} from "./order.rules.ts";
import {
  approve,
  cancelOrder,
  endColumn,
  extend,
  firstRefusal,
  goneSide,
  handOver,
  hasSuspendedBuyer,
  parcelColumns,
  problemColumns,
  recordGivenBack,
  recordReceipt,
  type StepOutcome,
  stepConditions,
  undoApproval,
  undoHandover,
  undoReceipt,
} from "./order-steps.server.ts";
import { type OrderIntent, type OrderRefusal, orderIntents, orderRefusals } from "./order-texts.ts";
import { bookingBar, isUnpaidOrder, rebookingWait } from "./rebooking.server.ts";

/** An order as its page shows it; price in cents. */
export type OrderDetails = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

export type OrderStep = OrderDetails["steps"][number];

const maxSteps = 100;

/**
 * Finds an order with its history, for its buyer, its seller or an administrator. The seller sees the delivery details
 * once the order is paid, and until it is cancelled.
 */
export async function findOrder(db: Db, viewer: Viewer, orderId: string) {
  const [[order], steps, ...refusals] = await db.batch([
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
        phone: orders.phoneNumber,
        status: orders.status,
        stage: orders.stage,
        removalId: sql<string | null>`${orders.removalId}`.as("own_removal_id"),
        ...problemColumns(db),
        isBuyerSuspended: hasSuspendedBuyer(db).mapWith(Boolean).as("is_buyer_suspended"),
        isToPay: isUnpaid(db).mapWith(Boolean).as("is_to_pay"),
        isProtected: isProtected(db).mapWith(Boolean).as("is_protected"),
        returnUntil: sql<number | null>`${returnUntil()}`.as("return_until"),
        refundable: refundableCents.as("refundable_cents"),
        gone: goneSide(db).as("gone"),
        buyerRemovalId: sql<
          string | null
        >`(select removal_id from ${users} b where b.id = ${orders.buyerId})`,
        sellerRemovalId: users.removalId,
        /** Whether its buyer books from its seller again only once that lets them. */
        isUnpaid: isUnpaidOrder(db).mapWith(Boolean).as("is_unpaid"),
        bar: bookingBar(db, viewer.id, phones.sellerId).as("bar"),
        wait: rebookingWait(db, sql`${viewer.id}`, phones.id).as("wait"),
        isMissed: countsAgainstSellerColumn(orderId).as("is_missed"),
        isForSale: sql<number>`${phones.status} = 'available' and ${phones.hiddenById} is null`
          .mapWith(Boolean)
          .as("is_for_sale"),
        sellerId: phones.sellerId,
        ownNumber: phones.ownNumber,
        statedDelivery: attributeColumns.delivery,
        sellerName: users.name,
        createdAt: orders.createdAt,
        endsAt: endColumn(db).as("ends_at"),
        deadlineAt: orders.deadlineAt,
        isOnHold: isNotNull(orders.heldSince).mapWith(Boolean).as("is_on_hold"),
        warrantyEnd: sql<Date | null>`${warrantyUntil()}`.mapWith(orders.deadlineAt).as("warranty_end"),
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
        reason: orderSteps.reason,
      })
      .from(orderSteps)
      .leftJoin(users, eq(users.id, orderSteps.actorId))
      .where(eq(orderSteps.orderId, orderId))
      .orderBy(desc(orderSteps.id))
      .limit(maxSteps),
    ...orderIntents.map((intent) => selectRefusal(db, viewer, orderId, intent)),
    selectRefusal(db, viewer, orderId, "undo receipt", ["nothing to undo", "too late to undo"]),
  ]);
  if (!order) return null;
  const refusalOf = (intent: OrderIntent) => refusals[orderIntents.indexOf(intent)]?.[0]?.refusal;
  const {
    buyerId,
    sellerId,
    buyerAddress,
    email,
    phone,
    endsAt,
    deadlineAt,
    buyerRemovalId,
    sellerRemovalId,
    wait,
    bar,
    isForSale,
    warrantyEnd,
    ...shown
  } = order;
  const deadline = endsAt?.toISOString() ?? null;
  // The step that led to the state.
  const last = steps.find(({ kind }) => kind === (order.status === "active" ? order.stage : "cancelled"));
  const roleOf = (id: string): OrderRole =>
    id === buyerId ? "buyer" : id === sellerId ? "seller" : "administrator";
  const actorOf = (id: string): OrderActor => (id === system.id ? "system" : roleOf(id));
  const role = roleOf(viewer.id);
  const canRebook = role === "buyer" && order.status === "cancelled" && isForSale && !bar;
  const showsDelivery = role !== "seller" || (order.status === "active" && !order.isToPay);
  return {
    ...shown,
    isHandoverBarred: shown.isHandoverBarred || shown.isBuyerSuspended,
    sellerId,
    role,
    /** The seller's, for the seller alone. */
    ownNumber: role === "seller" ? order.ownNumber : null,
    delivery: showsDelivery ? { address: buyerAddress, email, phone } : null,
    /** How the listing says that the buyer gets it, if it does. After a cancellation it may be listed in another way. */
    statedDelivery: order.status === "active" ? order.statedDelivery : null,
    /** Null unless it was shipped. */
    parcel: parcelOf(order.parcel),
    deadline,
    /** Null if the buyer pays the seller directly. */
    payment: order.isProtected
      ? await (await import("../payments/payments.server.ts")).findPayment(db, orderId)
      : null,
    /** An ISO time; null unless the buyer, who has the device, can still give it back for no reason, and no problem is open. */
    returnUntil:
      canChangeMind(order, new Date()) && !order.hasProblem
        ? new Date(order.returnUntil ?? 0).toISOString()
        : null,
    /** An ISO time; null unless the buyer has the device. */
    warrantyUntil: order.status === "active" ? (warrantyEnd?.toISOString() ?? null) : null,
    /** For a buyer who can book the device again: why they have to wait, if they do. */
    rebooking: canRebook ? { wait: wait && waitRefusal(wait) } : null,
    /** Why a side that waits cannot give more time; null if it can, or does not wait. */
    extensionRefusal: refusalOf("extend") === "extended" ? orderRefusals.extended : null,
    isBySystem: last?.actorId === system.id,
    /** Whether Ringback ended it before its deadline. */
    isEarly: last?.kind === "cancelled" && deadlineAt !== null && last.at < deadlineAt,
    isAbandoned: [buyerRemovalId, sellerRemovalId].some((left) => left && last && left < last.id),
    intents: orderIntents.filter((intent) => refusalOf(intent) === null),
    /** Whether the viewer can undo that they mark it as received now. */
    canUndoReceipt: refusals.at(-1)?.[0]?.refusal === null,
    canChangeDelivery: canChangeDelivery(role, order),
    canChangeHandover: canChangeHandover(role, order),
    steps: steps.reverse().map(({ actorId, actorName, ...step }) => {
      const by = actorOf(actorId);
      // Administrators stay anonymous.
      const shownName = by === "administrator" ? "an administrator" : (actorName ?? "");
      return { ...step, by, byViewer: actorId === viewer.id, actorName: shownName };
    }),
  };
}

/**
 * Selects why a step would be refused now, even to who has taken it before. Each in its own statement, because of the
 * limit of bound parameters.
 *
 * @param left refusals that do not count
 */
function selectRefusal(
  db: Db,
  viewer: Viewer,
  orderId: string,
  intent: OrderIntent,
  left: OrderRefusal[] = [],
) {
  const all =
    intent === "allow rebooking" ? rebookingConditions(db, viewer) : stepConditions(db, viewer, intent);
  const conditions = { ...all };
  for (const refusal of ["done before" as const, ...left]) delete conditions[refusal];
  return db
    .select({ refusal: firstRefusal(conditions).as("refusal") })
    .from(orders)
    .where(eq(orders.id, orderId));
}

/** What a step says beside its name. */
interface StepDetails {
  handover?: Handover;
  /** How it was handed over when the seller saw it, see `shownHandover`. */
  shown?: string;
  /** Why an administrator cancels. */
  reason?: string;
}

/**
 * Applies an intent to an order. Of concurrent intents that exclude each other, one succeeds. An intent that the same
 * user repeats succeeds again.
 */
export async function handleOrderIntent(
  db: Db,
  viewer: Viewer,
  orderId: string,
  intent: OrderIntent,
  { handover, shown, reason }: StepDetails = {},
): Promise<StepOutcome> {
  const steps = {
    "hand over": () => handOver(db, viewer, orderId, handover, shown),
    "undo handover": () => undoHandover(db, viewer, orderId),
    receive: () => recordReceipt(db, viewer, orderId),
    approve: () => approve(db, viewer, orderId),
    "undo approval": () => undoApproval(db, viewer, orderId),
    "undo receipt": () => undoReceipt(db, viewer, orderId),
    extend: () => extend(db, viewer, orderId),
    "given back": () => recordGivenBack(db, viewer, orderId),
    cancel: () => cancelOrder(db, viewer, orderId, { bySeller: true, reason }),
    "allow rebooking": () => allowRebooking(db, viewer, orderId),
  };
  const outcome = await steps[intent]();
  return outcome.refusal === "done before" ? { refusal: null } : outcome;
}
