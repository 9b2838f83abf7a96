import type { SerializeFrom } from "@remix-run/cloudflare";
import type { orderDeadlines } from "#app/market.ts";
import { dayLabel } from "#app/ui/date-label.ts";
import { PhonePicture } from "../listings/phone-picture.tsx";
import { type OrderRole, orderNumber, orderStatusText, type TimedState } from "./order.rules.ts";
import type { OrderDetails } from "./order-details.server.ts";
import type { Order } from "./orders.server.ts";

/** What was ordered, and what happens next. */
export function OrderHeader({ order }: { order: SerializeFrom<OrderDetails> }) {
  const deadline = deadlineText(order.role, order);
  return (
    <header className="flex items-start gap-4 sm:gap-6">
      {order.picture && (
        <div className="w-24 shrink-0 after:hidden rounded-box bg-base-200 p-2 sm:w-36 sm:p-3">
          <PhonePicture {...order.picture} size="card" eager />
        </div>
      )}
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{order.productName}</h1>
        <p className="text-quiet">Order {orderNumber(order.id)}</p>
        <p className="mt-2 max-w-prose text-lg">{orderStatusText(order.role, order)}</p>
        {deadline && <p className="mt-1 max-w-prose text-pretty">{deadline}</p>}
        <MissingAddress order={order} />
      </div>
    </header>
  );
}

/** When a buyer booked, and what happens next and by when. */
export function ownOrderNote(order: SerializeFrom<Order>): string {
  return `Booked ${dayLabel(order.createdAt)}. ${nextStep(order)}`;
}

function nextStep({ status, stage, deadlineAt }: SerializeFrom<Order>): string {
  if (status === "cancelled" || stage === "received") return "";
  const until = deadlineAt ? ` by ${dayLabel(deadlineAt)}` : "";
  return stage === "reserved" ? `The seller hands it over${until}.` : `Confirm${until} that you got it.`;
}

function MissingAddress({ order }: { order: SerializeFrom<OrderDetails> }) {
  if (order.stage !== "reserved" || !order.delivery || order.delivery.address) return null;
  if (order.role === "seller") return <p className="mt-1">The buyer has not given an address yet.</p>;
  return (
    order.canChangeDelivery && (
      <p className="mt-1 print:hidden">
        <a href="#delivery-address" className="link">
          Add an address
        </a>{" "}
        if the seller is to send it.
      </p>
    )
  );
}

/** Until when somebody has to act, and what happens then; null if nobody has to. */
function deadlineText(role: OrderRole, { status, stage, deadline }: TimedState): string | null {
  if (status === "cancelled" || deadline === null || stage === "received") return null;
  return deadlineTexts[stage][role](dayLabel(deadline));
}

const deadlineTexts: Record<keyof typeof orderDeadlines, Record<OrderRole, (day: string) => string>> = {
  reserved: {
    buyer: (day) =>
      `The seller has until ${day}. If nothing happens by then, we cancel the order and you owe nothing.`,
    seller: (day) => `Hand it over or ship it by ${day}. After that, we cancel the order and list it again.`,
    administrator: (day) => `The seller has until ${day}. After that, the order is cancelled.`,
  },
  "handed over": {
    buyer: (day) => `Confirm by ${day}. After that, we mark it as received.`,
    seller: (day) => `The buyer has until ${day}. After that, we mark it as received.`,
    administrator: (day) => `The buyer has until ${day}. After that, the order counts as received.`,
  },
};
