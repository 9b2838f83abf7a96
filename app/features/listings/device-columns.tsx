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

/** Those of My Sells and My Orders. On a card the device leads, with its storage; your own name, which repeats, is left out. */
export const ownColumns: Column[] = [
  { label: "Name", onCard: "nothing" },
  { label: "Device Name", longWords: true, onCard: "cell" },
  { label: "Storage", onCard: "nothing" },
  "Price",
  { label: "Action", onCard: "cell" },
];

export function Storage({ ram, rom }: { ram: string; rom: string }) {
  return (
    <>
      <span className="inline-block">{ram}</span> <span className="inline-block">{rom}</span>
    </>
  );
}

/** The storage below a device's name, on a card. */
export function CardStorage({ ram, rom }: { ram: string; rom: string }) {
  return <p className="text-sm text-quiet md:hidden">{[ram, rom].filter(Boolean).join(" · ")}</p>;
}

/** The device of a listing, with a link to its page while it has one. @param leads whether it stands above the rest of a card */
export function DeviceCell({
  phone,
  leads = false,
  children,
}: {
  phone: ListingRow;
  leads?: boolean;
  children?: ReactNode;
}) {
  const name = `${phone.brandName} ${phone.model}`;
  return (
    <div className={`flex items-center gap-3 ${leads ? "" : "max-md:justify-end"}`}>
      <DeviceThumbnail picture={phone} leads={leads} />
      <div className="min-w-0">
        {phone.decisionId || phone.returnedFrom ? (
          name
        ) : (
          <Link to={`/phones/${phone.id}`} aria-description="View listing" className="link">
            {name}
          </Link>
        )}
        {leads && <CardStorage ram={phone.ram} rom={phone.rom} />}
        {phone.savers > 0 && <p className="text-sm text-quiet">{saversLabel(phone.savers)}</p>}
        {children}
      </div>
    </div>
  );
}
