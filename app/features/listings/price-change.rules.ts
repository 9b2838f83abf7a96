import { freeStatuses, type PhoneStatus } from "#app/db/enums.ts";
import { priceLabel } from "./money.rules.ts";
import { priceSchema } from "./phone.schema.ts";
import { priceDoubt } from "./plausibility.rules.ts";

/** Prices that change at once. */
export const maxPriceChanges = 100;

/**
 * Whether the table offers a new price: the listing is neither booked, whose order keeps its price, nor sold, nor hidden by
 * a decision. One that came back from an order can have one before it is listed again.
 */
export function canChangePrice({ status, decisionId }: { status: PhoneStatus; decisionId: string | null }) {
  return freeStatuses.some((free) => free === status) && !decisionId;
}

/** Why a listing keeps its price. */
export const priceRefusals = {
  "unknown listing": "This listing is deleted or hidden.",
  reserved: "It’s booked, and the order keeps its price.",
  sold: "It’s sold.",
};

/** What is said beside a price that has changed since the page was opened. */
export const stalePriceText = (cents: number) =>
  `The price is ${priceLabel(cents)} now. Save again to change it.`;

export const priceDirections = { lower: "Lower by", raise: "Raise by" } as const;

/** How many prices change together. */
export interface PriceStep {
  direction: keyof typeof priceDirections;
  /** Per cent, or cents. */
  by: { percent: number } | { cents: number };
  endsIn9: boolean;
}

/** The price in cents after a step; 0 if nothing would be left. Rounding never turns lower into higher, or the other way. */
export function steppedPrice(cents: number, { direction, by, endsIn9 }: PriceStep): number {
  const sign = direction === "lower" ? -1 : 1;
  const change = "percent" in by ? Math.round((cents * by.percent) / 100) : by.cents;
  const exact = Math.max(0, cents + sign * change);
  if (!endsIn9 || exact === 0 || exact === cents) return exact;
  const [nine, ten] = [900, 1000];
  const rounded = Math.max(nine, Math.round((exact - nine) / ten) * ten + nine);
  const isOpposite = sign * (rounded - cents) < 0;
  return isOpposite ? Math.max(nine, rounded + sign * ten) : rounded;
}

const readPrice = priceSchema("Price");

/** What is typed as the price of a listing: in cents, or what is wrong with it. */
export function readTypedPrice(typed: string): { cents: number; error?: undefined } | { error: string } {
  const { data, error } = readPrice.safeParse(typed);
  return data === undefined ? { error: error?.issues[0]?.message ?? "" } : { cents: data };
}

/** A price that the seller is asked about once, as `confirmed` in the form, with the question; null if it is plausible. */
export function priceQuestion(
  { id, marketCents, usualCents }: { id: string; marketCents: number; usualCents: number | null },
  cents: number,
  confirmed: readonly string[],
) {
  const usual = usualCents === null ? null : { median: usualCents };
  const doubt = priceDoubt(cents, marketCents, usual);
  const about = `${id} ${cents}`;
  return doubt && !confirmed.includes(about) ? { about, question: `${doubt} Is that right?` } : null;
}

/** "3 prices changed". */
export const pricesChangedText = (count: number) => `${count} ${count === 1 ? "price" : "prices"} changed`;
