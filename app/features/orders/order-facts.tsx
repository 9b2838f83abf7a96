import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { dayLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { orderNumber } from "./order.rules.ts";
import type { OrderDetails } from "./order-details.server.ts";

export function OrderFacts({ order }: { order: SerializeFrom<OrderDetails> }) {
  const { role, delivery } = order;
  return (
    <dl>
      <Fact term="Device">
        {order.listed ? (
          <Link to={`/phones/${order.phoneId}`} className="link">
            {order.productName}
          </Link>
        ) : (
          order.productName
        )}
      </Fact>
      <Fact term="Storage">{`${order.ram} ${order.rom}`}</Fact>
      <Fact term="Price">{priceLabel(order.priceCents)}</Fact>
      <Fact term="Order number">{orderNumber(order.id)}</Fact>
      <Fact term="Ordered">{dayLabel(order.createdAt)}</Fact>
      <Fact term="Seller">
        {role === "seller" ? (
          `${order.sellerName} (you)`
        ) : order.sellerHasPage ? (
          <Link to={`/sellers/${order.sellerId}`} className="link">
            {order.sellerName}
          </Link>
        ) : (
          (order.sellerName ?? "Account deleted")
        )}
      </Fact>
      <Fact term="Buyer">{role === "buyer" ? `${order.buyerName} (you)` : order.buyerName}</Fact>
      {delivery ? (
        <>
          <Fact term="Email">
            {!delivery.email ? (
              "None"
            ) : role === "buyer" ? (
              <EmailAddress email={delivery.email} />
            ) : (
              <a href={`mailto:${delivery.email}`} className="link">
                <EmailAddress email={delivery.email} />
              </a>
            )}
          </Fact>
          <Fact term="Phone">{delivery.phone || "Not given"}</Fact>
          <Fact term="Address">
            <span className="whitespace-pre-line">{delivery.address || "Not given"}</span>
          </Fact>
        </>
      ) : (
        <Fact term="Delivery">Hidden because the order was cancelled</Fact>
      )}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-6 border-b border-base-300 py-2.5">
      <dt className="shrink-0 text-quiet">{term}</dt>
      <dd className="min-w-0 text-right font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
