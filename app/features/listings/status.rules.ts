import type { SaleStatus } from "#app/db/device-enums.ts";

export { saleStatuses } from "#app/db/device-enums.ts";

export const statusLabels: Record<SaleStatus, string> = {
  available: "Available",
  reserved: "Reserved",
  sold: "Sold",
  paused: "Paused",
};

/** What a card says of a verified seller and protected payment, before “payment”, which a handset has no room for. */
export const verifiedAndProtected = "Verified, protected";
