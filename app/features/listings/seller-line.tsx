import { Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { isoMonthLabel } from "#app/ui/date-label.ts";
import { VerifiedBadge } from "./badges.tsx";
import type { ShownListing } from "./listing.server.ts";

/** Who sells a phone, and since when they have been here; one whose account has ended has no page to lead to. */
export function SellerLine({
  listing: { sellerId, sellerName, sellerVerified, sellerSince, sellerIsHere },
}: {
  listing: Pick<ShownListing, "sellerId" | "sellerName" | "sellerVerified" | "sellerSince" | "sellerIsHere">;
}) {
  return (
    <div className="border-t border-base-300 pt-5">
      <p className="text-sm text-quiet">Sold by</p>
      <p className="mt-0.5 text-lg font-medium wrap-anywhere">
        {sellerIsHere ? (
          <Link to={`/sellers/${sellerId}`} className="link underline-offset-4">
            {sellerName}
          </Link>
        ) : (
          sellerName
        )}
      </p>
      {sellerIsHere && (
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <VerifiedBadge sellerVerified={sellerVerified} />
          <span className="text-quiet">
            At {brand.name} since {isoMonthLabel(sellerSince)}
          </span>
        </p>
      )}
    </div>
  );
}
