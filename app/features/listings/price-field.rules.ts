import { freeStatuses, type SaleStatus } from "#app/db/enums.ts";

/** Prices that change at once. */
export const maxPriceChanges = 100;

/**
 * Whether the table offers a new price: the listing is neither booked, whose order keeps its price, nor sold, nor hidden by
 * a decision. One that came back from an order can have one before it is listed again.
 */
export function canChangePrice({ status, decisionId }: { status: SaleStatus; decisionId: string | null }) {
  return freeStatuses.some((free) => free === status) && !decisionId;
}

/** Why a listing keeps its price. */
export const priceRefusals = {
  "unknown listing": "This listing is deleted or hidden.",
  reserved: "It’s booked, and the order keeps its price.",
  sold: "It’s sold.",
};

export const priceDirections = { lower: "Lower by", raise: "Raise by" } as const;

export const priceField = (id: string) => `price-${id}`;
export const shownField = (id: string) => `shown-${id}`;
