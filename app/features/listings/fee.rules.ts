import { paymentTerms } from "#app/terms.ts";
import { priceLabel } from "./money.rules.ts";

/** What the market keeps of a sale, never all of its price: nothing can’t be paid out or taken back. */
export function feeCents(amountCents: number, fee = paymentTerms.fee): number {
  const share = Math.floor((amountCents * fee.percent + 50) / 100) + fee.fixedCents;
  return Math.max(0, Math.min(amountCents - 1, Math.max(share, fee.minimumCents)));
}

/** What a seller gets of a price, of a protected order. @param cents undefined as long as there is no price */
export function payoutLabel(cents: number | undefined, fee = paymentTerms.fee): string | null {
  const share = cents === undefined ? null : priceLabel(cents - feeCents(cents, fee));
  const { percent, fixedCents, minimumCents } = fee;
  const parts = [percent > 0 && `${percent}%`, fixedCents > 0 && priceLabel(fixedCents)].filter(Boolean);
  if (parts.length === 0 && minimumCents === 0) return share && `You get ${share}. There is no fee.`;
  const least = minimumCents > 0 && `${parts.length > 0 ? "at least " : ""}${priceLabel(minimumCents)}`;
  const words = [parts.join(" and "), least].filter(Boolean).join(", ");
  return `You get ${share ? `${share} after` : "your price minus"} our fee of ${words}.`;
}
