import type { NotificationKind } from "#app/db/values.ts";
import { dayLabel } from "#app/ui/date-label.ts";
import { formerMember } from "../accounts/viewer.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { orderNumber } from "./order.rules.ts";
import type { MailedOrder } from "./orders.server.ts";

/** What an email says of its order: by when the next step is due, and after a booking to the buyer all else. */
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
