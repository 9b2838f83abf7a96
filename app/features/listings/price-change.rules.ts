import { market } from "#app/market.ts";
import { maxPriceLength, parsePrice, unreadPriceText } from "#app/server/forms/parse-price.ts";
import { cutLine } from "#app/server/forms/sanitize-text.ts";
import { deviceName } from "./device-variant.rules.ts";
import { priceLabel } from "./money.rules.ts";
import { priceDoubt } from "./plausibility.rules.ts";
import { priceSchema } from "./price.schema.ts";
import { type priceDirections, priceField, priceRefusals, shownField } from "./price-field.rules.ts";

/** What is said beside a price that has changed since the page was opened. */
const stalePriceText = (cents: number) => `The price is ${priceLabel(cents)} now. Save again to change it.`;

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
  const other = isOpposite ? rounded + sign * ten : rounded;
  return other < nine || sign * (other - cents) < 0 ? cents : other;
}

/** The step that a form asks for; null if it asks for none. */
export function parsePriceStep(parameters: URLSearchParams): PriceStep | { error: string } | null {
  const typed = parameters.get("by");
  if (typed === null) return null;
  const direction = parameters.get("direction") === "raise" ? "raise" : "lower";
  const endsIn9 = parameters.has("nine");
  if (parameters.get("unit") === "amount") {
    const cents = parsePrice(typed);
    return cents === null ? { error: unreadPriceText("This", typed) } : { direction, by: { cents }, endsIn9 };
  }
  const percent = /^\d{1,2}(?:[.,]\d)?(?=\s?%?$)/.exec(typed.trim())?.[0];
  return percent
    ? { direction, by: { percent: Number(percent.replace(",", ".")) }, endsIn9 }
    : { error: "This must be a percentage, like 5 or 7.5" };
}

/** A price that is typed, beside the one that the page has shown. */
interface TypedPrice {
  typed: string;
  shownCents: number;
}

/** The prices of a form that are not as they were shown, by the ids of their listings. */
export function changedPrices(form: FormData): Map<string, TypedPrice> {
  const changed = new Map<string, TypedPrice>();
  for (const [name, value] of form) {
    const id = name.slice(priceField("").length);
    if (!name.startsWith(priceField("")) || typeof value !== "string") continue;
    const typed = cutLine(value, maxPriceLength);
    const shownCents = Number(form.get(shownField(id)));
    if (parsePrice(typed) !== shownCents) changed.set(id, { typed, shownCents });
  }
  return changed;
}

const priceText = priceSchema("Price");

interface PricedListing {
  id: string;
  sellingCents: number;
  marketCents: number;
  usualCents: number | null;
  refusal: keyof typeof priceRefusals | null;
}

/** What is typed as the price of a listing: in cents, with what is wrong with it, or what the seller is asked about once. */
export interface CheckedPrice {
  typed: string;
  cents: number | null;
  error: string | null;
  /** The question, and the value that the form sends as `confirmed`. */
  doubt: { question: string; about: string } | null;
}

/** Checks a new price, also in the preview. @param confirmed what the seller was asked about before */
export function checkPrice(
  listing: PricedListing,
  { typed, shownCents }: TypedPrice,
  confirmed: readonly string[] = [],
): CheckedPrice {
  const { sellingCents, refusal } = listing;
  const { data: cents = null, error } = priceText.safeParse(typed);
  const wrong = refusal
    ? priceRefusals[refusal]
    : sellingCents === shownCents || sellingCents === cents
      ? (error?.issues[0]?.message ?? null)
      : stalePriceText(sellingCents);
  if (wrong || cents === null) return { typed, cents, error: wrong, doubt: null };
  return { typed, cents, error: null, doubt: priceDoubtAbout(listing, cents, confirmed) };
}

/** What the seller is asked about once before a listing gets a price. */
export function priceDoubtAbout(
  { id, sellingCents, marketCents, usualCents }: PricedListing,
  cents: number,
  confirmed: readonly string[],
): CheckedPrice["doubt"] {
  if (cents === sellingCents) return null;
  const question = priceDoubt(cents, {
    market: marketCents,
    usual: usualCents === null ? null : { median: usualCents },
    before: sellingCents,
  });
  const about = `${id} ${cents}`;
  return question && !confirmed.includes(about) ? { question: `${question} Is that right?`, about } : null;
}

const maxNamed = 5;

/** "Left out: Apple iPhone 13. It’s booked, and the order keeps its price." Empty if nothing is. */
export function leftOutPricesText(
  listings: { brandName: string; model: string; refusal: keyof typeof priceRefusals | null }[],
): string {
  const [first, ...others] = listings;
  if (!first?.refusal) return "";
  const names = listings.slice(0, maxNamed).map(deviceName);
  const more = listings.length > maxNamed ? [`${listings.length - maxNamed} more`] : [];
  const list = new Intl.ListFormat(market.locale).format([...names, ...more]);
  const why = others.length === 0 ? priceRefusals[first.refusal] : "They’re booked, sold or hidden.";
  return `Left out: ${list}. ${why}`;
}

/** "3 prices changed. 1 stayed: its device was booked or its price changed at the same moment." */
export function pricesChangedText(
  changed: number,
  asked: number,
  leftOut: Parameters<typeof leftOutPricesText>[0] = [],
): string {
  const stayed = asked - changed;
  const more = [
    ...(stayed > 0 ? [`${stayed} stayed: booked, hidden or changed in the meantime.`] : []),
    ...(leftOut.length > 0 ? [leftOutPricesText(leftOut)] : []),
  ];
  const done = `${changed} ${changed === 1 ? "price" : "prices"} changed`;
  return more.length > 0 ? [`${done}.`, ...more].join(" ") : done;
}

export const restoredPricesTexts = {
  undone: "Old prices restored, except where a device was booked or its price changed since",
  many: "old prices restored",
  impossible: "These devices were booked, or their prices changed, since.",
};
