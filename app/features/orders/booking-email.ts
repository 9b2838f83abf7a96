import { dayLabel } from "#app/ui/date-label.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { orderNumber } from "./order.rules.ts";
import type { PlacedOrder } from "./orders.server.ts";

/** What the email after a booking says of the order. */
export function bookingFacts(order: PlacedOrder): [term: string, value: string][] {
  return [
    ["Order number", orderNumber(order.id)],
    ["Device", order.productName],
    ["Storage", `${order.ram} ${order.rom}`],
    ["Price", priceLabel(order.priceCents)],
    ["Seller", order.sellerName],
    ...(order.deadlineAt
      ? [["Handover by", dayLabel(order.deadlineAt.toISOString())] as [string, string]]
      : []),
  ];
}
