import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { RowAction } from "#app/ui/row-action.tsx";
import { type BuyerRecord, BuyerRecordText } from "../reviews/buyer-record.tsx";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import { StatusBadge } from "./badges.tsx";
import { DeviceCell, deviceColumns, Storage } from "./device-columns.tsx";
import type { ListingRow } from "./listing-tables.server.ts";
import { specifiedPriceLabel } from "./money.rules.ts";

/** The specification's table of the viewer's own listings. @param buyerRecords of the orders, by their ids */
export function SellingsTable({
  action,
  notice,
  listings,
  buyerRecords,
  empty,
}: {
  action: ReactNode;
  notice: ReactNode;
  listings: NumberedPage<ListingRow>;
  buyerRecords: Record<string, BuyerRecord>;
  empty: ReactNode;
}) {
  return (
    <DashboardTable
      title="My Sellings"
      action={action}
      notice={notice}
      // Your own name repeats in each row: without longWords, it leaves the width to the actions.
      columns={deviceColumns.with(0, "Name")}
      table={listings}
      cells={(phone) => {
        const name = `${phone.brandName} ${phone.model}`;
        const buyerRecord = phone.orderId && buyerRecords[phone.orderId];
        return [
          <span key="seller" className="inline-block wrap-anywhere md:min-w-24">
            {phone.sellerName}
          </span>,
          <DeviceCell key="device" phone={phone}>
            {buyerRecord && (
              <p className="text-sm text-quiet">
                Buyer: <BuyerRecordText record={buyerRecord} />
              </p>
            )}
          </DeviceCell>,
          <Storage key="storage" ram={phone.ram} rom={phone.rom} />,
          specifiedPriceLabel(phone.sellingCents),
          <div
            key="action"
            className="flex flex-wrap items-center gap-x-3 gap-y-2 max-md:justify-end md:min-w-44 md:text-sm"
          >
            <SellerLinks phone={phone} name={name} />
            {phone.status !== "reserved" && (
              <RowAction id={phone.id} target={name}>
                Delete
              </RowAction>
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
