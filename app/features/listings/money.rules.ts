import { countLabel, market } from "#app/market.ts";

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

/** The saving compared with the market price, in whole per cent; at least 0. */
export function savingPercent({ marketCents, sellingCents }: { marketCents: number; sellingCents: number }) {
  if (marketCents <= sellingCents) return 0;
  return Math.min(99, Math.round((1 - sellingCents / marketCents) * 100));
}
