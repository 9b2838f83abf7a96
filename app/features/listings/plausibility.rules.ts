import { market } from "#app/market.ts";
import { attributes } from "./attributes.ts";
import type { FairPrice } from "./fair-price.rules.ts";
import type { NewListing } from "./listing.schema.ts";
import { priceLabel } from "./money.rules.ts";
import { privateDetailsIn } from "./private-details.rules.ts";

/** Texts that may have private details in them. */
const texts = ["brandName", "model", "sellingReason", "city"] as const;

/** Prices this many times above or below the usual or the former one are probably typing errors. */
const suspiciousTimes = 5;
/** Old devices are sold for a small part of what a new one costs, but hardly for so little. */
const suspiciousTimesOfNew = 10;
const maxMonths = 180;

type Stated = {
  [Name in (typeof texts)[number] | "scratches" | "condition"]?: string | null | undefined;
} & Pick<NewListing, "marketPrice" | "sellingPrice" | "usedTime">;

/** A value that a seller has probably mistyped, or had better leave out. */
interface Doubt {
  field: keyof Stated;
  /** The value, so that the seller is asked about it once. */
  about: string;
  text: string;
  /** What follows in a form. */
  confirm: string;
}

type Usual = Pick<FairPrice, "median"> | null;

/** What a seller is asked about before it is stored. A second press stores it all the same. @param before the price, in cents */
function doubtsAbout(stated: Stated, usual: Usual, before: number | null): Doubt[] {
  const { marketPrice, sellingPrice, usedTime, condition, scratches } = stated;
  const doubts: Doubt[] = [];
  const doubt = (
    field: Doubt["field"],
    value: string | number,
    text: string,
    confirm = "Is that right? Submit again to keep it.",
  ) => doubts.push({ field, about: `${field} ${value}`, text, confirm });
  const price = priceDoubt(sellingPrice, { market: marketPrice, usual, before });
  if (price) doubt("sellingPrice", sellingPrice, price);
  const months = Number(/^\d+/.exec(usedTime)?.[0] ?? 0);
  if (months > maxMonths) doubt("usedTime", months, `That’s ${Math.floor(months / 12)} years.`);
  if (condition === "Excellent" && scratches === "cracks") {
    const words = attributes.scratches.choices.cracks.toLowerCase();
    doubt("scratches", scratches, `A device in excellent condition has no ${words}.`);
  }
  for (const field of texts) {
    const details = detailsIn(stated[field] ?? "");
    if (details) doubt(field, details.found, details.text, "Submit again to keep it.");
  }
  return doubts;
}

/** What a text has that had better stay private, and why; null if it has nothing of the kind. */
function detailsIn(typed: string): { found: string; text: string } | null {
  const contacts = privateDetailsIn(typed);
  if (contacts.length === 0) return null;
  const found = new Map(contacts.map(({ found, kind }) => [found, `“${found}” looks like ${kind}`]));
  const reason = contacts.every(({ kind }) => kind === "an IMEI")
    ? "Keep it private, so nobody can copy it."
    : `Buyers can message you here, so you don’t need ${found.size > 1 ? "them" : "it"}.`;
  const text = `${new Intl.ListFormat(market.locale).format(found.values())}. ${reason}`;
  return { found: [...found.keys()].join(" "), text };
}

/** What a seller is asked about once before the text of their shop is stored; null if about nothing. */
export function shopTextQuestion(
  shopText: string,
  confirmed: readonly string[],
): { asked: string[]; text: string } | null {
  const details = detailsIn(shopText);
  const about = `shopText ${details?.found}`;
  return details && !confirmed.includes(about) ? { asked: [about], text: details.text } : null;
}

/**
 * The questions about what the seller has not confirmed, in the form of a refusal, and without what to press.
 *
 * @param before the price, in cents
 */
export function plausibilityQuestions(
  stated: Stated,
  usual: Usual,
  confirmed: string[],
  before: number | null = null,
) {
  const doubts = doubtsAbout(stated, usual, before).filter(({ about }) => !confirmed.includes(about));
  return {
    fieldErrors: Object.fromEntries(
      doubts.map(({ field, text, confirm }) => [field, [`${text} ${confirm}`]]),
    ) as Record<string, string[]>,
    asked: doubts.map(({ about }) => about),
    remarks: doubts.map(({ field, text }) => ({ field, text })),
  };
}

interface Priced {
  stated: Stated;
  /** The usual price of the stated device. */
  usual: Usual;
}

/** The questions about an edit; what is stored already isn't asked about again. */
export function editQuestions(before: Priced, edit: Priced, confirmed: string[] = []) {
  const { asked } = plausibilityQuestions(before.stated, before.usual, []);
  return plausibilityQuestions(edit.stated, edit.usual, [...confirmed, ...asked], before.stated.sellingPrice);
}

/** What makes an asking price improbable, beside the usual price, the new price and the price before; null if nothing does. */
export function priceDoubt(
  selling: number,
  { market, usual, before }: { market: number; usual: Usual; before: number | null },
): string | null {
  const doubt = doubtOf(selling, market, usual);
  if (doubt) return doubt;
  // Who corrects a price that was improbable isn't asked again.
  if (before !== null && !doubtOf(before, market, usual)) {
    if (selling >= suspiciousTimes * before)
      return `That’s ${Math.round(selling / before)} times what it was.`;
    if (selling * suspiciousTimes <= before) return `It was ${priceLabel(before)}.`;
  }
  const isCheap = (price: number) => !usual && price * suspiciousTimesOfNew <= market;
  const isRaised = before !== null && selling > before && isCheap(before);
  return isCheap(selling) && !isRaised ? `A new one is ${priceLabel(market)}.` : null;
}

function doubtOf(selling: number, market: number, usual: Usual): string | null {
  if (usual && selling >= suspiciousTimes * usual.median)
    return `That’s ${Math.round(selling / usual.median)} times the usual price.`;
  if (usual && selling * suspiciousTimes <= usual.median)
    return `The usual price is ${priceLabel(usual.median)}.`;
  if (selling >= 2 * market) return `That’s ${Math.round(selling / market)} times the price of a new one.`;
  return null;
}
