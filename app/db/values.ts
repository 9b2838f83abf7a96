/** The values that some columns are limited to, apart from the tables so that the browser can share them. */
export const roles = ["Buyer", "Seller", "Admin"] as const;
export type Role = (typeof roles)[number];

export const operatingSystems = ["Android", "Ios"] as const;
export const deviceTypes = ["Smart Phone", "Tablet"] as const;
export const phoneStatuses = ["available", "reserved", "sold"] as const;

/** What a ticket is good for. */
export const ticketPurposes = ["recovery", "verification", "passkey registration", "passkey login"] as const;
export type TicketPurpose = (typeof ticketPurposes)[number];
