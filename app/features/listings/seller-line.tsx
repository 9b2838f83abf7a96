import type { ReactNode } from "react";
import { isoMonthLabel } from "#app/time.ts";
import { Link } from "#app/ui/link.tsx";
import { SellerRating } from "../reviews/seller-rating.tsx";
import { SellerRecordList } from "../reviews/seller-record.tsx";
import { VerifiedBadge } from "./badges.tsx";
import type { ListingDetails } from "./listing.server.ts";

/**
 * A closed account has no page to link to.
 *
 * @param children how to reach the seller
 */
export function SellerLine({
  listing: {
    sellerId,
    sellerName,
    sellerVerified,
    sellerSince,
    sellerRating,
    sellerRecord,
    sellerHasAccount,
  },
  children,
}: {
  listing: Pick<
    ListingDetails,
    | "sellerId"
    | "sellerName"
    | "sellerVerified"
    | "sellerSince"
    | "sellerRating"
    | "sellerRecord"
    | "sellerHasAccount"
  >;
  children?: ReactNode;
}) {
  return (
    <div className="border-t border-base-300 pt-5">
      <p className="text-sm text-quiet">Sold by</p>
      <p className="mt-0.5 text-lg font-medium wrap-anywhere">
        {sellerHasAccount ? (
          <Link to={`/sellers/${sellerId}`} className="link underline-offset-4">
            {sellerName}
          </Link>
        ) : (
          sellerName
        )}
      </p>
      {sellerHasAccount && (
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <SellerRating sellerId={sellerId} rating={sellerRating} sales={sellerRecord.sales} />
          <VerifiedBadge sellerVerified={sellerVerified} />
          <span className="text-quiet">Member since {isoMonthLabel(sellerSince)}</span>
        </p>
      )}
      {sellerHasAccount && (
        <div className="mt-1">
          {sellerVerified && (
            <p className="text-sm text-quiet">
              Verified: one of us has looked at the account and what it sells.
            </p>
          )}
          <SellerRecordList record={sellerRecord} />
        </div>
      )}
      <div className="mt-3 grid empty:hidden">{children}</div>
    </div>
  );
}

/** @param orderId the viewer's order of the listing, whose seller can still be asked when it is sold */
export function AskSellerLink({
  listing: { id, status, sellerHasAccount },
  isOwn,
  orderId,
}: {
  listing: Pick<ListingDetails, "id" | "status" | "sellerHasAccount">;
  isOwn: boolean;
  orderId: string | null;
}) {
  if (isOwn || !sellerHasAccount || (status === "sold" && !orderId)) return null;
  const target = orderId ? `order=${orderId}` : `phone=${id}`;
  return (
    <Link to={`/manage/messages/new?${target}`} className="btn btn-outline">
      Ask the seller
    </Link>
  );
}
