import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { RowAction } from "#app/ui/row-action.tsx";
import { CardStorage, DeviceStorage, deviceColumns, ownOrderColumns } from "../listings/device-columns.tsx";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import { specifiedPriceLabel } from "../listings/money.rules.ts";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import type { TableState } from "../tables/table-filters.tsx";
import type { OrderRole } from "./order.rules.ts";
import { OrderBadge } from "./order-view.tsx";
import type { ListedOrder } from "./orders.server.ts";

/** In place of the buttons, of which each order's page has those that are possible. */
const administratorColumns = deviceColumns.toSpliced(-1, 1, { label: "Seller", longWords: true }, "Status");

/** What the table shows of an order: of one’s own whether it can be deleted, of all the seller. */
type TableOrder = SerializeFrom<Omit<ListedOrder, "sellerId" | "sellerName">> & {
  canDelete?: boolean;
  sellerId?: string | null;
  sellerName?: string | null;
};

/** The specification's table of orders, with the buyer's name; for administrators with seller, status and day. */
export function OrderTable<Row extends TableOrder>({
  title,
  filters,
  orders,
  viewerRole,
  isExported,
  note,
  empty,
}: {
  title: string;
  filters?: TableState;
  orders: NumberedPage<Row>;
  viewerRole: OrderRole;
  isExported?: boolean;
  /** Below the device of one’s own orders. */
  note?: (order: Row) => ReactNode;
  empty: ReactNode;
}) {
  const { dayLabel } = useDateLabels();
  const isAdministrator = viewerRole === "administrator";
  return (
    <DashboardTable
      title={title}
      filters={filters}
      isExported={isExported}
      columns={isAdministrator ? administratorColumns : ownOrderColumns}
      table={orders}
      cells={(order) => [
        isAdministrator && order.buyerName ? (
          <Link key="buyer" to={`/manage/users/${order.buyerId}`} className="link">
            {order.buyerName}
          </Link>
        ) : (
          order.buyerName
        ),
        <div
          key="device"
          className={`flex items-center gap-3 ${isAdministrator ? "max-md:justify-end" : ""}`}
        >
          <DeviceThumbnail picture={order} isLargeOnCard={!isAdministrator} />
          <div className="min-w-0">
            <Link to={`/manage/orders/${order.id}`} aria-description="View order" className="link">
              {order.productName}
            </Link>
            {note && (
              <>
                <CardStorage ram={order.ram} rom={order.rom} />
                <p className="text-sm text-quiet">{note(order)}</p>
              </>
            )}
          </div>
        </div>,
        <DeviceStorage key="storage" ram={order.ram} rom={order.rom} />,
        specifiedPriceLabel(order.priceCents),
        ...(isAdministrator
          ? [
              order.sellerId && (
                <Link key="seller" to={`/manage/users/${order.sellerId}`} className="link">
                  {order.sellerName}
                </Link>
              ),
              <div key="status">
                <OrderBadge order={order} />
                <p className="text-sm whitespace-nowrap text-quiet">
                  <time dateTime={order.createdAt}>{dayLabel(order.createdAt)}</time>
                </p>
              </div>,
            ]
          : [
              order.canDelete ? (
                <RowAction key="delete" id={order.id} target={order.productName}>
                  Delete
                </RowAction>
              ) : (
                <OrderBadge key="stage" order={order} />
              ),
            ]),
      ]}
      empty={empty}
    />
  );
}
