import { and, eq, inArray, isNotNull, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { NotificationKind, OrderSide, OrderStepKind } from "#app/db/enums.ts";
import { orderSteps, orders, paymentTasks, phones, users } from "#app/db/schema.ts";
import { problemDays, terms } from "#app/terms.ts";
import { dateTimeLabel, dayLabel } from "#app/time.ts";
import { formerMember } from "../accounts/viewer.ts";
import { warrantyUntil } from "../audit/order-windows.server.ts";
import { priceLabel } from "../listings/money.rules.ts";
import {
  delayText,
  isFullyRefunded,
  payByText,
  protectedPaymentTerms,
  unprotectedPaymentText,
} from "../payments/payment-texts.ts";
import { isProtected, isUnpaid, refundableCents } from "../payments/protected-orders.server.ts";
import { countsAgainstSellerColumn } from "../reviews/seller-record.server.ts";
import { endColumn, goneSide, problemColumns } from "./order-steps.server.ts";
import { firstStepText, nextStepText, orderNumber, orderStatusText, paymentText } from "./order-texts.ts";

/** What emails about orders say of them. The deadline is that of an order that goes on. */
export function findMailedOrders(db: Db, ids: string[]) {
  const lastStep = (column: SQLWrapper, kind: OrderStepKind) => sql`(select ${column} from ${orderSteps}
    where ${orderSteps.orderId} = ${orders.id} and ${orderSteps.kind} = ${kind}
    order by ${orderSteps.id} desc limit 1)`;
  const isFailing = and(
    eq(paymentTasks.orderId, orders.id),
    isNull(paymentTasks.doneAt),
    isNotNull(paymentTasks.error),
  );
  return db
    .select({
      id: orders.id,
      productName: orders.productName,
      ram: orders.ram,
      rom: orders.rom,
      priceCents: orders.priceCents,
      sellerName: users.name,
      status: orders.status,
      stage: orders.stage,
      ...problemColumns(db),
      isProtected: isProtected(db).mapWith(Boolean).as("is_protected"),
      isUnpaid: isUnpaid(db).mapWith(Boolean).as("is_unpaid"),
      isMoneyDelayed: hasRow(db, paymentTasks, isFailing).mapWith(Boolean).as("is_money_delayed"),
      refundable: refundableCents.as("refundable_cents"),
      hasAddress: ne(orders.buyerAddress, "").mapWith(Boolean).as("has_address"),
      gone: goneSide(db).as("gone"),
      buyerId: orders.buyerId,
      sellerId: phones.sellerId,
      cancelledById: sql<string | null>`${lastStep(orderSteps.actorId, "cancelled")}`.as("cancelled_by_id"),
      cancelReason: sql<string | null>`${lastStep(orderSteps.reason, "cancelled")}`.as("cancel_reason"),
      warrantyEnd: sql`${warrantyUntil()}`.mapWith(orders.deadlineAt).as("warranty_end"),
      deadlineAt: endColumn(db).as("ends_at"),
      isMissed: countsAgainstSellerColumn(orders.id).as("is_missed"),
    })
    .from(orders)
    .leftJoin(phones, eq(phones.id, orders.phoneId))
    .leftJoin(users, and(eq(users.id, phones.sellerId), isNull(users.removalId)))
    .where(inArray(orders.id, ids));
}

type MailedOrder = Awaited<ReturnType<typeof findMailedOrders>>[number];

/**
 * An order's number and next deadline in an email; in that of a booking also device, price and, for the buyer, seller; in
 * that of the end who cancelled it and what the reader gets and gives back, or when the warranty ends.
 *
 * @param hasProvider whether the market protects payments
 */
export function orderEmailFacts(
  kind: NotificationKind,
  order: MailedOrder,
  readerId: string,
  hasProvider: boolean,
): [term: string, value: string][] {
  const { id, productName, ram, rom, priceCents, sellerName, stage, deadlineAt } = order;
  const role = readerId === order.buyerId ? "buyer" : "seller";
  const facts: [string, string][] = [["Order number", orderNumber(id)]];
  const day = deadlineAt && dayLabel(deadlineAt.toISOString());
  const isBooking = kind === "order placed" || kind === "booked";
  if (isBooking)
    facts.push(["Device", productName], ["Storage", `${ram} ${rom}`], ["Price", priceLabel(priceCents)]);
  if (kind === "order placed") facts.push(["Seller", sellerName ?? formerMember]);
  if (isBooking) facts.push(["Payment", bookingPaymentText(order, role, hasProvider)]);
  const bookingNext = isBooking && bookingNextText(order, role, day);
  if (bookingNext) facts.push(["Next step", bookingNext]);
  if (kind === "refunded") facts.push(["Refund", order.isMoneyDelayed ? delayText : refundTexts[role]]);
  if (kind === "cancelled") facts.push(["Cancelled by", cancellerOf(order)]);
  if (kind === "cancelled" && order.cancelReason) facts.push(["Reason", order.cancelReason]);
  const isEnd = kind === "cancelled" || kind === "cancelled by system";
  // It may be back on by now.
  if (isEnd && order.status === "cancelled") facts.push(...endFacts(kind, order, role));
  if ((kind === "received" || kind === "received by system") && order.warrantyEnd)
    facts.push(["Warranty ends", dayLabel(order.warrantyEnd.toISOString())]);
  // It may have ended by now.
  if (order.isSellerSuspended) {
    const isNews = kind === "seller suspended" || kind === "reinstated";
    const next = isNews && nextStepText(role, order, day);
    if (next) facts.push(["Next step", next]);
    if (kind === "seller suspended") facts.push(["Payment", suspendedPaymentText(order)]);
  } else if (order.isUnpaid && deadlineAt && stage === "reserved") {
    // A booking says it before.
    if (!isBooking)
      facts.push([
        role === "buyer" ? "Pay by" : "The buyer pays by",
        dateTimeLabel(deadlineAt.toISOString()),
      ]);
  } else if (day && !isFullyRefunded(order.refundable))
    facts.push([stage === "reserved" ? "Handover by" : "Confirm by", day]);
  return facts;
}

const refundTexts: Record<OrderSide, string> = {
  buyer: "It goes back to the card that paid for it. Banks may take a few days to show it.",
  seller: "The buyer gets it back. There’s nothing you have to do.",
};

function bookingPaymentText(order: MailedOrder, role: OrderSide, hasProvider: boolean): string {
  if (!order.isProtected) return unprotectedPaymentText(terms.payment[role], hasProvider);
  if (order.status === "cancelled" || isFullyRefunded(order.refundable))
    return order.isUnpaid ? "Nothing was paid." : backText(role, order.isRefundable);
  // The seller learns of a booking once it is paid.
  if (role === "seller" || order.isUnpaid) return protectedPaymentTerms[role];
  return `You’ve paid. ${brand.name} holds the money until you have the device.`;
}

/** What a side does first after a booking; null once it has got further. */
function bookingNextText(order: MailedOrder, role: OrderSide, day: string | null): string | null {
  const { status, stage, deadlineAt, isUnpaid } = order;
  if (status === "cancelled" || stage !== "reserved") return null;
  if (order.isSellerSuspended || order.gone || order.hasProblem) return nextStepText(role, order, day);
  if (isUnpaid) return deadlineAt && payByText(dateTimeLabel(deadlineAt.toISOString()));
  const { hasAddress, isProtected } = order;
  return role === "buyer"
    ? `${firstStepText("the seller", { hasAddress, isPaid: isProtected })} If the seller doesn’t hand it over in time, we cancel the order.`
    : `${hasAddress ? "You’ll find the buyer’s address on the order’s page." : "Message the buyer to agree on delivery."} Once you’ve handed it over or shipped it, mark it as handed over.`;
}

/** What a buyer reads of the money while the seller is suspended. */
function suspendedPaymentText({ isProtected, isUnpaid, isRefundable }: MailedOrder): string {
  if (!isProtected) return "If you haven’t paid, don’t pay now.";
  if (isUnpaid) return "You haven’t paid yet, and you can’t for now.";
  if (!isRefundable) return backText("buyer", isRefundable);
  return `${brand.name} holds your money, and doesn’t pay the seller for now. If the order is cancelled, you get it back.`;
}

/** Why an order ended, what each side gives back, and what to do if the other does not. */
function endFacts(
  kind: "cancelled" | "cancelled by system",
  order: MailedOrder,
  role: OrderSide,
): [term: string, value: string][] {
  const facts: [string, string][] = [];
  if (kind === "cancelled by system")
    facts.push(["Reason", orderStatusText(role, { ...order, isBySystem: true, parcel: null })]);
  const next = order.stage === "reserved" ? null : nextStepText(role, order, null);
  if (order.isProtected) {
    facts.push(["Payment", order.isUnpaid ? "Nothing was paid." : backText(role, order.isRefundable)]);
    return facts;
  }
  facts.push(next ? ["Next step", next] : ["Payment", paymentText(role, order)]);
  const report = `Report it on the order’s page within ${problemDays.refund} days.`;
  if (role === "buyer" && order.isRefundDue) facts.push(["Not paid back?", report]);
  if (role === "seller" && order.isReturnDue) facts.push(["Device not back?", report]);
  return facts;
}

function backText(role: OrderSide, isRefundable: boolean): string {
  if (!isRefundable)
    return role === "buyer" ? "You’ve already been paid back." : "The buyer has already been paid back.";
  return `${role === "buyer" ? "You get" : "The buyer gets"} all of it back from ${brand.name}.`;
}

function cancellerOf({ cancelledById, buyerId, sellerId }: MailedOrder): string {
  if (cancelledById === buyerId) return "The buyer";
  return cancelledById === sellerId ? "The seller" : brand.name;
}
