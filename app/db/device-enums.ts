// Values of enum columns of devices and listings: those that lists need, which load nothing else of `enums.ts`.

export const operatingSystems = ["Android", "Ios"] as const;
export const deviceTypes = ["Smart Phone", "Tablet"] as const;
export const deviceCategories = ["android", "ios", "tablet"] as const;
export type DeviceCategory = (typeof deviceCategories)[number];
/** A paused one has a page, but is on no list and cannot be bought. */
export const saleStatuses = ["available", "reserved", "sold", "paused"] as const;
/** Neither booked nor sold. */
export const freeStatuses = ["available", "paused"] as const;
export type SaleStatus = (typeof saleStatuses)[number];

/** Worst first. */
export const conditions = ["Fair", "Good", "Excellent"] as const;
export type Condition = (typeof conditions)[number];

export const colors = [
  "Black",
  "White",
  "Gray",
  "Silver",
  "Gold",
  "Blue",
  "Green",
  "Red",
  "Pink",
  "Purple",
  "Yellow",
  "Orange",
] as const;
export type Color = (typeof colors)[number];

/** Whether buyers may offer less than the price. Listings that do not say take offers. */
export const offersWelcomeChoices = ["Yes", "No"] as const;

/** The category of a device, as the column `phones.category` computes it. */
export function deviceCategoryKey({ os, deviceType }: { os: string; deviceType: string }): DeviceCategory {
  if (deviceType === "Tablet") return "tablet";
  return os === "Ios" ? "ios" : "android";
}
