import { countLabel, market } from "#app/market.ts";

/** Of a listing and of an offer. */
export const minPriceCents = 100;

/** Cents as the amount that forms and the REST API use: 34950 → 349.5. */
export function toAmount(cents: number): number {
  return cents / 100;
}

/** Cents as a price for display, without ".00": "$1,099", "$349.50". */
export function priceLabel(cents: number): string {
  const rest = cents % 100;
  const whole = countLabel((cents - rest) / 100);
  return market.price(rest === 0 ? whole : `${whole}${market.decimalSign}${String(rest).padStart(2, "0")}`);
}

/** Cents as a price in the format that the specification requires for tables: "349$", "349.50$". */
export function specifiedPriceLabel(cents: number): string {
  const amount = cents % 100 === 0 ? String(cents / 100) : decimalPrice(cents);
  return amount.replace(".", market.decimalSign) + market.currencySign;
}

export function priceRangeLabel({ lowest, highest }: { lowest: number; highest: number }): string {
  return lowest === highest ? priceLabel(lowest) : `${priceLabel(lowest)} to ${priceLabel(highest)}`;
}

/** Cents as a decimal number with two places, as structured data needs it: "349.50". */
export function decimalPrice(cents: number): string {
  return toAmount(cents).toFixed(2);
}

/** How far from the usual price, in per cent, a price still counts as usual. */
const usualPercent = 2;

/** "$13 below the usual price"; null if it is about the usual price, or if that is not known. */
export function priceDifferenceLabel(sellingCents: number, usualCents: number | null | undefined) {
  const cents = sellingCents - (usualCents ?? sellingCents);
  if (!usualCents || Math.abs(cents) * 100 <= usualCents * usualPercent) return null;
  return `${priceLabel(Math.abs(cents))} ${cents < 0 ? "below" : "above"} the usual price`;
}

/** What makes a price a bargain; null unless it is below a known usual price. */
export function bargainLabel(sellingCents: number, usualCents: number | null | undefined) {
  return usualCents && sellingCents < usualCents ? priceDifferenceLabel(sellingCents, usualCents) : null;
}
