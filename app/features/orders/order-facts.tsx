import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { dayLabel } from "#app/ui/date-label.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { formerMember } from "../accounts/former-member.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { orderNumber, parcelText } from "./order.rules.ts";
import type { OrderDetails } from "./order-details.server.ts";

export function OrderFacts({ order }: { order: SerializeFrom<OrderDetails> }) {
  const { role, delivery } = order;
  return (
    <dl>
      <FactRow term="Device">
        {order.listed ? (
          <Link to={`/phones/${order.phoneId}`} className="link">
            {order.productName}
          </Link>
        ) : (
          order.productName
        )}
      </FactRow>
      <FactRow term="Storage">{`${order.ram} ${order.rom}`}</FactRow>
      <FactRow term="Price">{priceLabel(order.priceCents)}</FactRow>
      <FactRow term="Order number">{orderNumber(order.id)}</FactRow>
      <FactRow term="Ordered">{dayLabel(order.createdAt)}</FactRow>
      {order.stage !== "reserved" && (
        <FactRow term="Handover">
          {order.parcel ? `Shipped with ${parcelText(order.parcel)}` : "In person"}
        </FactRow>
      )}
      <FactRow term="Seller">
        {role === "seller" ? (
          `${order.sellerName} (you)`
        ) : order.sellerHasPage ? (
          <Link to={`/sellers/${order.sellerId}`} className="link">
            {order.sellerName}
          </Link>
        ) : (
          (order.sellerName ?? formerMember)
        )}
      </FactRow>
      <FactRow term="Buyer">{role === "buyer" ? `${order.buyerName} (you)` : order.buyerName}</FactRow>
      {delivery ? (
        <>
          <FactRow term="Email">
            {!delivery.email ? (
              "None"
            ) : role === "buyer" ? (
              <EmailAddress email={delivery.email} />
            ) : (
              <a href={`mailto:${delivery.email}`} className="link">
                <EmailAddress email={delivery.email} />
              </a>
            )}
          </FactRow>
          <FactRow term="Phone">{delivery.phone || "Not given"}</FactRow>
          <FactRow term="Address">
            <span className="whitespace-pre-line">{delivery.address || "Not given"}</span>
          </FactRow>
        </>
      ) : (
        <FactRow term="Delivery">Hidden because the order was cancelled</FactRow>
      )}
    </dl>
  );
}
