import { Link } from "#app/ui/link.tsx";
import type { ListingDetails } from "./listing.server.ts";

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
