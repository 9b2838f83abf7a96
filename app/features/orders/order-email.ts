import type { NotificationKind } from "#app/db/values.ts";
import { dayLabel } from "#app/ui/date-label.ts";
import { formerMember } from "../accounts/viewer.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { orderNumber } from "./order.rules.ts";
import type { MailedOrder } from "./orders.server.ts";

/** An order's number and next deadline in an email; in that of the buyer's booking also device, price and seller. */
export function orderFacts(kind: NotificationKind, order: MailedOrder): [term: string, value: string][] {
  const { id, productName, ram, rom, priceCents, sellerName, stage, deadlineAt } = order;
  const placed = [
    ["Device", productName],
    ["Storage", `${ram} ${rom}`],
    ["Price", priceLabel(priceCents)],
    ["Seller", sellerName ?? formerMember],
  ] satisfies [string, string][];
  return [
    ["Order number", orderNumber(id)],
    ...(kind === "order placed" ? placed : []),
    ...(deadlineAt
      ? [
          [
            stage === "reserved" ? "Handover by" : "Confirm by",
            dayLabel(deadlineAt.toISOString()),
          ] satisfies [string, string],
        ]
      : []),
  ];
}
