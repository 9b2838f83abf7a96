import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { isoDayLabel } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { StatusBadge } from "./badges.tsx";
import { deviceName } from "./device-variant.rules.ts";
import type { ListingPage } from "./listing.server.ts";
import { ListingGallery } from "./listing-gallery.tsx";
import { usedTimeLabel } from "./phone-dates.rules.ts";
import { Price } from "./price.tsx";
import { SellerLine } from "./seller-line.tsx";

/** @param children what the viewer can do with the listing */
export function PhoneFacts({
  listing,
  photos,
  children,
}: SerializeFrom<Pick<ListingPage, "listing" | "photos">> & { children: ReactNode }) {
  return (
    <div className="grid gap-6 sm:grid-cols-2 sm:grid-rows-[auto_1fr] sm:gap-x-8">
      <ListingGallery listing={listing} photos={photos} name={deviceName(listing)} />
      <div className="flex min-w-0 flex-col gap-5 sm:row-span-2">
        <StatusBadge status={listing.status} />
        <Price marketCents={listing.marketCents} sellingCents={listing.sellingCents} className="text-4xl" />
        {children}
        <p>
          <Link to={`/phones/${listing.id}`} className="link underline-offset-4">
            View full listing
          </Link>
        </p>
        <SellerLine listing={listing} />
      </div>
      <blockquote className="self-start border-l-2 border-base-300 pl-4 whitespace-pre-line text-quiet wrap-anywhere">
        {listing.sellingReason}
      </blockquote>
      <dl className="sm:col-span-2 sm:columns-2 sm:gap-8">
        <FactRow term="RAM" value={listing.ram} />
        <FactRow term="ROM" value={listing.rom} />
        <FactRow term="Camera" value={listing.camera} />
        <FactRow term="Processor" value={listing.processor} />
        <FactRow term="Battery" value={listing.battery} />
        <FactRow term="OS" value={listing.os} />
        <FactRow term="Device type" value={listing.deviceType} />
        <FactRow term="Used for" value={usedTimeLabel(listing.usedTime)} />
        {listing.condition && <FactRow term="Condition" value={listing.condition} />}
        {listing.batteryHealth && <FactRow term="Battery health" value={`${listing.batteryHealth}%`} />}
        <FactRow term="Posted" value={isoDayLabel(listing.postDate)} />
      </dl>
    </div>
  );
}

export function FactRow({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex break-inside-avoid justify-between gap-4 border-b border-base-300 py-2">
      <dt className="shrink-0 text-quiet">{term}</dt>
      <dd className="min-w-0 text-right font-medium wrap-anywhere">{value}</dd>
    </div>
  );
}
