import { contactDetailsIn } from "./contact-details.rules.ts";
import type { FairPrice } from "./fair-price.rules.ts";
import { priceLabel } from "./money.rules.ts";
import type { NewPhone } from "./phone.schema.ts";

/** Prices this many times above or below the usual one are probably typing errors. */
const suspiciousTimes = 5;
const maxMonths = 180;

type Stated = Pick<
  NewPhone,
  "brandName" | "model" | "sellingReason" | "marketPrice" | "sellingPrice" | "usedTime"
>;

/** A value that a seller has probably mistyped, or had better leave out. */
export interface Doubt {
  field: keyof Stated;
  /** The value, so that the seller is asked about it once. */
  about: string;
  question: string;
}

/** What a seller is asked about before publishing. A second press publishes it all the same. */
export function doubtsAbout(stated: Stated, usual: FairPrice | null): Doubt[] {
  const { marketPrice, sellingPrice, usedTime } = stated;
  const doubts: Doubt[] = [];
  const doubt = (
    field: Doubt["field"],
    value: string | number,
    text: string,
    confirm = "Is it right? If so, submit again.",
  ) => doubts.push({ field, about: `${field} ${value}`, question: `${text} ${confirm}` });
  const price = priceDoubt(sellingPrice, marketPrice, usual);
  if (price) doubt("sellingPrice", sellingPrice, price);
  const months = Number(/^\d+/.exec(usedTime)?.[0] ?? 0);
  if (months > maxMonths) doubt("usedTime", months, `That’s ${Math.floor(months / 12)} years.`);
  for (const field of ["brandName", "model", "sellingReason"] as const) {
    const [contact] = contactDetailsIn(stated[field]);
    if (!contact) continue;
    const text = `“${contact.found}” looks like ${contact.kind}. Buyers can message you here, so you don’t need it.`;
    doubt(field, contact.found, text, "Submit again to keep it.");
  }
  return doubts;
}

function priceDoubt(selling: number, market: number, usual: FairPrice | null): string | null {
  if (usual && selling >= suspiciousTimes * usual.median)
    return `That’s ${Math.round(selling / usual.median)} times the usual price.`;
  if (usual && selling * suspiciousTimes <= usual.median)
    return `The usual price is ${priceLabel(usual.median)}.`;
  if (selling >= 2 * market) return `That’s ${Math.round(selling / market)} times the new price.`;
  return null;
}
