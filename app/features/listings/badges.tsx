import type { ListingCardData } from "./listings.server.ts";
import { statusLabels } from "./status.rules.ts";

export function StatusBadge({ status }: Pick<ListingCardData, "status">) {
  if (status === "available") return null;
  return (
    <span className="badge border-transparent bg-neutral font-medium text-neutral-content">
      {statusLabels[status]}
    </span>
  );
}

export function VerifiedBadge({ sellerVerified }: Pick<ListingCardData, "sellerVerified">) {
  if (!sellerVerified) return null;
  return <span className="verified-badge">Verified seller</span>;
}

/** That the buyer’s money is held until the device has arrived. */
export function ProtectedBadge({ returnDays }: Partial<Pick<ListingCardData, "returnDays">>) {
  if (returnDays == null) return null;
  return <span className="verified-badge">Protected payment</span>;
}
