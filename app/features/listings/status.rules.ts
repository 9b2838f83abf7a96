import type { PhoneStatus } from "#app/db/enums.ts";

export { phoneStatuses } from "#app/db/enums.ts";

export const statusLabels: Record<PhoneStatus, string> = {
  available: "Available",
  reserved: "Reserved",
  sold: "Sold",
  paused: "Paused",
};
