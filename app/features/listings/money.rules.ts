import { countLabel } from "./phone-count.rules.ts";

/** Cents as the whole or fractional dollars a form and the REST calls speak: 34900 → 349, 34950 → 349.5. */
export function toDollars(cents: number): number {
  return cents / 100;
}

/** Cents for reading: "$1,099", and with cents only where there are some, "$349.50". */
export function priceLabel(cents: number): string {
  const rest = cents % 100;
  const dollars = countLabel((cents - rest) / 100);
  return rest === 0 ? `$${dollars}` : `$${dollars}.${String(rest).padStart(2, "0")}`;
}

/** How much less than the market price is asked, in whole per cent; 0 when nothing is saved. */
export function savingPercent({ marketCents, sellingCents }: { marketCents: number; sellingCents: number }) {
  if (marketCents <= sellingCents) return 0;
  return Math.min(99, Math.round((1 - sellingCents / marketCents) * 100));
}
