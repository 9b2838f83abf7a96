import type { FairPrice } from "./fair-price.rules.ts";
import { priceLabel } from "./money.rules.ts";

/** Prices this many times above or below the usual one are probably typing errors. */
const suspiciousTimes = 5;
const maxMonths = 180;

interface Stated {
  marketPrice: number;
  sellingPrice: number;
  usedTime: string;
}

/** A value that a seller has probably mistyped. */
export interface Doubt {
  field: "sellingPrice" | "usedTime";
  /** The value, so that the seller is asked about it once. */
  about: string;
  question: string;
}

/** What a seller has probably mistyped. A second press publishes it all the same. */
export function doubtsAbout(
  { marketPrice, sellingPrice, usedTime }: Stated,
  usual: FairPrice | null,
): Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (field: Doubt["field"], value: string | number, text: string) =>
    doubts.push({
      field,
      about: `${field} ${value}`,
      question: `${text} Is it right? If so, submit again.`,
    });
  const price = priceDoubt(sellingPrice, marketPrice, usual);
  if (price) doubt("sellingPrice", sellingPrice, price);
  const months = Number(/^\d+/.exec(usedTime)?.[0] ?? 0);
  if (months > maxMonths) doubt("usedTime", months, `That’s ${Math.floor(months / 12)} years.`);
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
