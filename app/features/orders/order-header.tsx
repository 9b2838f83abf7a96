import type { SerializeFrom } from "@remix-run/cloudflare";
import { PhonePicture } from "../listings/phone-picture.tsx";
import { deadlineText, orderNumber, orderStatusText } from "./order.rules.ts";
import type { OrderDetails } from "./order-details.server.ts";

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
