import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { isoDayLabel } from "#app/time.ts";
import { FactRow } from "#app/ui/fact-row.tsx";
import { Link } from "#app/ui/link.tsx";
import { statedFacts } from "./attributes.ts";
import { StatusBadge } from "./badges.tsx";
import { deviceName } from "./device-variant.rules.ts";
import type { ListingPageData } from "./listing.server.ts";
import { ListingGallery } from "./listing-gallery.tsx";
import { Price } from "./price.tsx";
import { SellerLine } from "./seller-line.tsx";

/**
 * @param sellerLink how the viewer can reach the seller
 * @param children what the viewer can do with the listing
 */
export function DeviceFacts({
  listing,
  photos,
  fair,
  sellerLink,
  children,
}: SerializeFrom<Pick<ListingPageData, "listing" | "photos" | "fair">> & {
  sellerLink: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-6 sm:grid-cols-2 sm:grid-rows-[auto_1fr] sm:gap-x-8">
      <ListingGallery listing={listing} photos={photos} name={deviceName(listing)} />
      <div className="flex min-w-0 flex-col gap-5 sm:row-span-2">
        <StatusBadge status={listing.status} />
        <Price
          marketCents={listing.marketCents}
          sellingCents={listing.sellingCents}
          usualCents={fair?.median}
          className="text-4xl"
        />
        {children}
        <p>
          <Link to={`/phones/${listing.id}`} className="link underline-offset-4">
            View full listing
          </Link>
        </p>
        <SellerLine listing={listing}>{sellerLink}</SellerLine>
      </div>
      <blockquote className="self-start border-l-2 border-base-300 pl-4 whitespace-pre-line text-quiet wrap-anywhere">
        {listing.sellingReason}
      </blockquote>
      <dl className="sm:col-span-2 sm:columns-2 sm:gap-8">
        {statedFacts(listing, ["brandName", "model"]).map(({ name, term, value }) => (
          <FactRow key={name} term={term}>
            {value}
          </FactRow>
        ))}
        <FactRow term="Posted">{isoDayLabel(listing.postDate)}</FactRow>
      </dl>
    </div>
  );
}
