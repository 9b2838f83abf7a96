import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Column } from "#app/ui/table.tsx";
import { saversLabel } from "../saved-listings/saved-listing.rules.ts";
import { DeviceThumbnail } from "./device-thumbnail.tsx";
import type { ListingRow } from "./listing-tables.server.ts";

/** The specification's columns of both orders and sellings. */
export const deviceColumns: Column[] = [
  { label: "Name", longWords: true },
  { label: "Device Name", longWords: true },
  "Storage",
  "Price",
  "Action",
];

/** Those of My Orders. A card begins with the device and its storage; your own name, which repeats, is left out. */
export const ownOrderColumns: Column[] = [
  { label: "Name", onCard: "nothing" },
  { label: "Device Name", longWords: true, onCard: "cell" },
  { label: "Storage", onCard: "nothing" },
  "Price",
  { label: "Action", onCard: "cell" },
];

/** Those of My Sells. A card begins with the price, above the device's name. */
export const sellingColumns: Column[] = [
  { label: "Name", onCard: "nothing" },
  { label: "Device Name", longWords: true, onCard: "cell" },
  { label: "Storage", onCard: "nothing" },
  { label: "Price", onCard: "cell" },
  { label: "Action", onCard: "cell" },
];

/** The price and the state of a listing, with which its card begins. */
export function CardPrice({ price, children }: { price: string; children?: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-2 md:hidden">
      <span className="font-display text-lg font-semibold tabular-nums">{price}</span>
      {children}
    </p>
  );
}

/** The price in its column, where no card shows it. */
export function TablePrice({ price }: { price: string }) {
  return <span className="max-md:hidden">{price}</span>;
}

export function DeviceStorage({ ram, rom }: { ram: string; rom: string }) {
  return (
    <>
      <span className="inline-block">{ram}</span> <span className="inline-block">{rom}</span>
    </>
  );
}

/** The storage below a device's name, on a card. */
export function CardStorage({ ram, rom }: { ram: string; rom: string }) {
  return (
    <p className="text-sm text-quiet md:hidden">{[ram && `${ram} RAM`, rom].filter(Boolean).join(" · ")}</p>
  );
}

/**
 * The device of a listing, with a link to its page while it has one.
 *
 * @param cardHeader above the name on cards; makes the picture large
 */
export function DeviceCell({
  phone,
  cardHeader,
  children,
}: {
  phone: ListingRow;
  cardHeader?: ReactNode;
  children?: ReactNode;
}) {
  const name = `${phone.brandName} ${phone.model}`;
  const isFirst = cardHeader !== undefined;
  return (
    <div className={`flex items-center gap-3 ${isFirst ? "" : "max-md:justify-end"}`}>
      <DeviceThumbnail picture={phone} isLargeOnCard={isFirst} />
      <div className="min-w-0">
        {cardHeader}
        {phone.decisionId || phone.returnedFrom ? (
          name
        ) : (
          <Link to={`/phones/${phone.id}`} aria-description="View listing" className="link">
            {name}
          </Link>
        )}
        {isFirst && <CardStorage ram={phone.ram} rom={phone.rom} />}
        {phone.savers > 0 && <p className="text-sm text-quiet">{saversLabel(phone.savers)}</p>}
        {children}
      </div>
    </div>
  );
}
