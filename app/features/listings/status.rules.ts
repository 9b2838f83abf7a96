import type { SaleStatus } from "#app/db/device-enums.ts";

export { saleStatuses } from "#app/db/device-enums.ts";

export const statusLabels: Record<SaleStatus, string> = {
  available: "Available",
  reserved: "Reserved",
  sold: "Sold",
  paused: "Paused",
};
