import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { ArrowRightIcon } from "#app/ui/icons.tsx";
import { RowAction } from "#app/ui/row-action.tsx";
import { StatusBadge } from "../listings/badges.tsx";
import { deviceColumns, Storage } from "../listings/device-columns.tsx";
import { DeviceThumbnail } from "../listings/device-thumbnail.tsx";
import type { ListingRow } from "../listings/listing-tables.server.ts";
import { specifiedPriceLabel } from "../listings/money.rules.ts";
import { hiddenLabel } from "../moderation/decisions/decision.rules.ts";
import { type BuyerRecord, BuyerRecordText } from "../reviews/buyer-record.tsx";
import { saversLabel } from "../saved-listings/saved-listing.rules.ts";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import type { TableState } from "../tables/table-filters.tsx";
import { BulkButtons } from "./bulk-buttons.tsx";

/** The specification's table of listings, with the seller's name. @param buyerRecords of the seller's orders, by the order */
export function ListingTable({
  title,
  action,
  notice,
  filters,
  listings,
  buyerRecords = {},
  viewerId,
  empty,
}: {
  title: string;
  action?: ReactNode;
  notice?: ReactNode;
  filters?: TableState;
  listings: NumberedPage<ListingRow>;
  buyerRecords?: Record<string, BuyerRecord>;
  /** Who reads the table of all listings. */
  viewerId?: string;
  empty: ReactNode;
}) {
  return (
    <DashboardTable
      title={title}
      action={action}
      notice={notice}
      filters={filters}
      bulk={
        filters && {
          buttons: <BulkButtons actions={["hide listings", "delete listings"]} />,
          label: ({ brandName, model, status, hiddenBy }) =>
            status === "reserved" || hiddenBy === "hide" ? null : `${brandName} ${model}`,
        }
      }
      // Your own name repeats in each row: without longWords, it leaves the width to the actions.
      columns={filters ? deviceColumns.toSpliced(-1, 0, "Status") : deviceColumns.with(0, "Name")}
      table={listings}
      cells={(phone) => {
        const name = `${phone.brandName} ${phone.model}`;
        const buyerRecord = phone.orderId && buyerRecords[phone.orderId];
        return [
          filters ? (
            <Link key="seller" to={`/manage/users/${phone.sellerId}`} className="link">
              {phone.sellerName}
            </Link>
          ) : (
            <span key="seller" className="inline-block wrap-anywhere md:min-w-24">
              {phone.sellerName}
            </span>
          ),
          <div key="device" className="flex items-center gap-3 max-md:justify-end">
            <DeviceThumbnail picture={phone} />
            <div className="min-w-0">
              {phone.decisionId || phone.returnedFrom ? (
                name
              ) : (
                <Link to={`/phones/${phone.id}`} aria-description="View listing" className="link">
                  {name}
                </Link>
              )}
              {phone.savers > 0 && <p className="text-sm text-quiet">{saversLabel(phone.savers)}</p>}
              {buyerRecord && (
                <p className="text-sm text-quiet">
                  Buyer: <BuyerRecordText record={buyerRecord} />
                </p>
              )}
            </div>
          </div>,
          <Storage key="storage" ram={phone.ram} rom={phone.rom} />,
          specifiedPriceLabel(phone.sellingCents),
          ...(filters
            ? [<ListingStatus key="status" phone={phone} isOwn={phone.sellerId === viewerId} />]
            : []),
          <div
            key="action"
            className={`flex flex-wrap items-center gap-x-3 gap-y-2 max-md:justify-end ${filters ? "" : "md:min-w-44 md:text-sm"}`}
          >
            {!filters && <SellerLinks phone={phone} name={name} />}
            {phone.status !== "reserved" && (!filters || !(phone.decisionId || phone.returnedFrom)) && (
              <RowAction id={phone.id} target={name}>
                Delete
              </RowAction>
            )}
            {filters && phone.sellerId !== viewerId && (
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

/** What its seller can do with a listing, besides deleting it. */
function SellerLinks({
  phone: { id, status, orderId, decisionId, hiddenBy, returnedFrom },
  name,
}: {
  phone: ListingRow;
  name: string;
}) {
  const isEditable = status !== "sold" && !decisionId;
  const links = [
    decisionId && {
      to: `/manage/decisions/${decisionId}`,
      label: hiddenBy === "hold" ? "Held for approval" : "Hidden: see why",
    },
    isEditable && {
      to: `/manage/mysells/${id}/edit`,
      label: returnedFrom ? "List it again" : "Edit",
    },
    (isEditable || hiddenBy === "hold") && { to: `/manage/mysells/${id}/photos`, label: "Photos" },
    (orderId ?? returnedFrom) && { to: `/manage/orders/${orderId ?? returnedFrom}`, label: "View order" },
  ];
  return (
    <>
      <StatusBadge status={status} />
      {returnedFrom && <span className="badge border-base-300 font-medium">Order ended, not listed</span>}
      {links.map(
        (link) =>
          link && (
            <Link key={link.to} to={link.to} aria-description={name} className="link py-1">
              {link.label}
            </Link>
          ),
      )}
    </>
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
