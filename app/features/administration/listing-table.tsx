import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { undoMinutes } from "#app/terms.ts";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { quietButton, RowAction } from "#app/ui/row-action.tsx";
import { StatusBadge } from "../listings/badges.tsx";
import { DeviceCell, DeviceStorage, deviceColumns } from "../listings/device-columns.tsx";
import type { ListingRow } from "../listings/listing-tables.server.ts";
import { specifiedPriceLabel } from "../listings/money.rules.ts";
import { hiddenLabel } from "../moderation/decisions/decision.rules.ts";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import type { TableState } from "../tables/table-filters.tsx";
import { BulkButtons } from "./bulk-buttons.tsx";

/** The table of all listings. */
export function ListingTable({
  notice,
  filters,
  listings,
  viewerId,
  empty,
}: {
  notice: ReactNode;
  filters: TableState;
  listings: NumberedPage<ListingRow>;
  viewerId: string;
  empty: ReactNode;
}) {
  return (
    <DashboardTable
      title="All listings"
      notice={notice}
      filters={filters}
      bulk={{
        buttons: <BulkButtons actions={["hide listings", "delete listings"]} />,
        label: ({ brandName, model, status, hiddenBy }) =>
          status === "reserved" || hiddenBy === "hide" ? null : `${brandName} ${model}`,
      }}
      columns={deviceColumns.toSpliced(-1, 0, "Status")}
      table={listings}
      cells={(phone) => {
        const name = `${phone.brandName} ${phone.model}`;
        const isOwn = phone.sellerId === viewerId;
        return [
          <Link key="seller" to={`/manage/users/${phone.sellerId}`} className="link">
            {phone.sellerName}
          </Link>,
          <DeviceCell key="device" phone={phone} />,
          <DeviceStorage key="storage" ram={phone.ram} rom={phone.rom} />,
          specifiedPriceLabel(phone.sellingCents),
          <ListingStatus key="status" phone={phone} isOwn={isOwn} />,
          <div key="action" className="flex flex-wrap items-center gap-x-3 gap-y-2 max-md:justify-end">
            {phone.status !== "reserved" && !phone.decisionId && !phone.returnedFrom && (
              <ConfirmPopover
                id={`delete-${phone.id}`}
                label="Delete"
                className={`btn-sm ${quietButton}`}
                aria-description={name}
                question={`Delete ${name}?`}
                text={`${isOwn ? "It’s your own. " : `${phone.sellerName} sells it. `}It disappears, and nobody can book it anymore. You can undo this for ${undoMinutes} minutes.`}
              >
                <RowAction id={phone.id} target={name} className="btn-error">
                  Delete listing
                </RowAction>
              </ConfirmPopover>
            )}
            {!isOwn && (
              <Link
                to={`/manage/moderation/listing/${phone.id}`}
                aria-description={name}
                className="link py-1 text-sm"
              >
                Moderate
              </Link>
            )}
          </div>,
        ];
      }}
      empty={empty}
    />
  );
}

/** The status for administrators, who are led to the order and to the decision that hides the listing. */
function ListingStatus({
  phone: { id, status, orderId, decisionId, hiddenBy, returnedFrom },
  isOwn,
}: {
  phone: ListingRow;
  isOwn: boolean;
}) {
  const decisionPath = isOwn ? `/manage/decisions/${decisionId}` : `/manage/moderation/listing/${id}`;
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:justify-end">
      {orderId ? <OrderLink orderId={orderId} status={status} /> : <StatusBadge status={status} />}
      {hiddenBy && (
        <Link to={decisionPath} aria-description="View the decisions" className="link">
          {hiddenLabel(hiddenBy)}
        </Link>
      )}
      {status === "available" && !hiddenBy && (returnedFrom ? "Order ended" : "Available")}
    </div>
  );
}

function OrderLink({ orderId, status }: { orderId: string; status: ListingRow["status"] }) {
  return (
    <Link
      to={`/manage/orders/${orderId}`}
      aria-description="View order"
      className="inline-flex items-center gap-1 rounded-selector py-1"
    >
      <StatusBadge status={status} />
      <ArrowRightIcon className="size-4" />
    </Link>
  );
}
