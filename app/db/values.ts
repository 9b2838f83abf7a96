/** The values that some columns are limited to, apart from the tables so that the browser can share them. */
export const roles = ["Buyer", "Seller", "Admin"] as const;
export type Role = (typeof roles)[number];

export const operatingSystems = ["Android", "Ios"] as const;
export const deviceTypes = ["Smart Phone", "Tablet"] as const;
/** The categories that a device belongs to, each to one. */
export const deviceCategories = ["android", "ios", "tablet"] as const;
export type DeviceCategory = (typeof deviceCategories)[number];
export const phoneStatuses = ["available", "reserved", "sold"] as const;

/** How well a device has been kept, worst first. */
export const conditions = ["Fair", "Good", "Excellent"] as const;
export type Condition = (typeof conditions)[number];

/** How far an order has come. */
export const orderStages = ["reserved", "handed over", "received"] as const;
export type OrderStage = (typeof orderStages)[number];

/** What happens to an order; "reinstated" takes a cancellation back. */
export const orderStepKinds = [...orderStages, "cancelled", "reinstated"] as const;
export type OrderStepKind = (typeof orderStepKinds)[number];

/** What a one-time token is good for. */
export const oneTimeTokenPurposes = [
  "recovery",
  "verification",
  "passkey registration",
  "passkey login",
] as const;
export type OneTimeTokenPurpose = (typeof oneTimeTokenPurposes)[number];
