import type { SerializeFrom } from "@remix-run/cloudflare";
import { PhonePicture } from "../listings/phone-picture.tsx";
import { orderNumber, orderStatusText } from "./order.rules.ts";
import type { OrderDetails } from "./order-details.server.ts";

/** What was ordered, and what happens next. */
export function OrderHeader({ order }: { order: SerializeFrom<OrderDetails> }) {
  return (
    <header className="flex items-start gap-4 sm:gap-6">
      {order.picture && (
        <div className="w-24 shrink-0 rounded-box bg-base-200 p-2 sm:w-36 sm:p-3">
          <PhonePicture {...order.picture} size="card" eager />
        </div>
      )}
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold wrap-anywhere sm:text-3xl">{order.productName}</h1>
        <p className="text-quiet">Order {orderNumber(order.id)}</p>
        <p className="mt-2 max-w-prose text-lg">{orderStatusText(order.role, order)}</p>
      </div>
    </header>
  );
}
