import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { parcelServiceNames } from "#app/parcel-services.ts";
import { Link } from "#app/ui/link.tsx";
import {
  CardPrice,
  CardStorage,
  DeviceStorage,
  sellingColumns,
  TablePrice,
} from "../listings/device-columns.tsx";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { specifiedPriceLabel } from "../listings/money.rules.ts";
import { usePaymentLabels } from "../payments/payment-labels.ts";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import type { TableState } from "../tables/table-filters.tsx";
import type { ToHandOver } from "./to-hand-over.server.ts";

/** The tab of My Sells with what was booked: each with its buyer, and a form that says how it was handed over. */
export function ToHandOverTable({
  action,
  notice,
  filters,
  sellerName,
  orders,
  empty,
}: {
  action: ReactNode;
  notice: ReactNode;
  filters: TableState;
  sellerName: string;
  orders: NumberedPage<SerializeFrom<ToHandOver>>;
  empty: ReactNode;
}) {
  const { dayLabel, timeLabel } = usePaymentLabels();
  return (
    <DashboardTable
      title="My Sellings"
      action={action}
      notice={notice}
      filters={filters}
      isExported={false}
      bulk={{
        action: "/manage/mysells/slips",
        buttons: (
          <button type="submit" className="btn btn-outline btn-sm">
            Print labels and slips
          </button>
        ),
        label: ({ productName, reason }) => (reason ? null : productName),
      }}
      columns={sellingColumns}
      table={orders}
      cells={(order) => {
        const price = specifiedPriceLabel(order.priceCents);
        return [
          sellerName,
          <div key="device" className="flex items-start gap-3">
            <DeviceThumbnail picture={order.picture} isLargeOnCard />
            <div className="min-w-0">
              <CardPrice price={price} />
              <Link to={`/manage/orders/${order.id}`} aria-description="View order" className="link">
                {order.productName}
              </Link>
              <CardStorage ram={order.ram} rom={order.rom} />
              {order.ownNumber && <p className="text-sm text-quiet">{order.ownNumber}</p>}
              <p className="font-medium">
                {order.isUnpaid && order.deadlineAt
                  ? `Waiting for payment until ${timeLabel(order.deadlineAt)}`
                  : order.reason || order.isOnHold || !order.deadlineAt
                    ? "On hold"
                    : `Hand over by ${dayLabel(order.deadlineAt)}`}
              </p>
              <p className="mt-1 text-sm whitespace-pre-line">{order.recipient}</p>
            </div>
          </div>,
          <DeviceStorage key="storage" ram={order.ram} rom={order.rom} />,
          <TablePrice key="price" price={price} />,
          order.isUnpaid ? null : (order.reason ?? <HandOverRow key="action" order={order} />),
        ];
      }}
      empty={empty}
    />
  );
}

/** The form of the order's page in one line. */
function HandOverRow({ order }: { order: SerializeFrom<ToHandOver> }) {
  return (
    <Form
      method="post"
      action={`/manage/orders/${order.id}`}
      preventScrollReset
      className="grid gap-2 md:min-w-52 md:text-sm"
    >
      <input type="hidden" name="intent" value="hand over" />
      <input type="hidden" name="shown" value="reserved" />
      <input type="hidden" name="redirectTo" value="/manage/mysells?tab=to+hand+over" />
      {order.isShippable && (
        <>
          <select name="parcelService" aria-label="Delivered by" className="select w-full select-sm">
            {parcelServiceNames.map((service) => (
              <option key={service}>{service}</option>
            ))}
          </select>
          <input
            name="trackingNumber"
            aria-label="Tracking number (optional)"
            placeholder="Tracking number"
            maxLength={40}
            pattern="[A-Za-z0-9 \-]*"
            autoComplete="off"
            className="input w-full input-sm"
          />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {order.isShippable && (
          <button
            type="submit"
            name="handover"
            value="shipped"
            aria-description={order.productName}
            className="btn btn-outline btn-sm"
          >
            Mark as shipped
          </button>
        )}
        <button
          type="submit"
          name="handover"
          value="in person"
          aria-description={order.productName}
          className="btn btn-outline btn-sm"
        >
          Handed over in person
        </button>
      </div>
    </Form>
  );
}
