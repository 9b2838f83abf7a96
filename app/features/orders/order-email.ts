import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { dayLabel } from "#app/time.ts";
import { formerMember } from "../accounts/viewer.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { orderNumber, warrantyEnd } from "./order.rules.ts";
import type { MailedOrder } from "./orders.server.ts";

/**
 * An order's number and next deadline in an email; in that of a booking also device, price and, for the buyer, seller; in
 * that of the end who cancelled it, or until when the warranty lasts.
 */
export function orderFacts(kind: NotificationKind, order: MailedOrder): [term: string, value: string][] {
  const { id, productName, ram, rom, priceCents, sellerName, stage, deadlineAt } = order;
  const facts: [string, string][] = [["Order number", orderNumber(id)]];
  if (kind === "order placed" || kind === "booked")
    facts.push(["Device", productName], ["Storage", `${ram} ${rom}`], ["Price", priceLabel(priceCents)]);
  if (kind === "order placed") facts.push(["Seller", sellerName ?? formerMember]);
  if (kind === "cancelled") facts.push(["Cancelled by", cancellerOf(order)]);
  if ((kind === "received" || kind === "received by system") && order.receivedAt)
    facts.push(["Warranty ends", dayLabel(warrantyEnd(order.receivedAt).toISOString())]);
  if (deadlineAt)
    facts.push([stage === "reserved" ? "Handover by" : "Confirm by", dayLabel(deadlineAt.toISOString())]);
  return facts;
}

function cancellerOf({ cancelledById, buyerId, sellerId }: MailedOrder): string {
  if (cancelledById === buyerId) return "The buyer";
  return cancelledById === sellerId ? "The seller" : brand.name;
}
