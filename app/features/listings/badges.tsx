import { VerifiedIcon } from "#app/ui/icons.tsx";
import type { PhoneCardData } from "./phones.server.ts";

/** Says that a phone is reserved or sold; nothing while it is available. */
export function StatusBadge({ status }: Pick<PhoneCardData, "status">) {
  if (status === "available") return null;
  return (
    <span className="badge border-transparent bg-neutral font-medium text-neutral-content">
      {status === "reserved" ? "Reserved" : "Sold"}
    </span>
  );
}

/** Says that an administrator has verified the seller. */
export function VerifiedBadge({ sellerVerified }: Pick<PhoneCardData, "sellerVerified">) {
  if (sellerVerified !== "yes") return null;
  return (
    <span className="verified-badge">
      <VerifiedIcon className="size-4" />
      Verified seller
    </span>
  );
}
