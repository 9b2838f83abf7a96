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

/** What a seller has probably mistyped, by field. A second press publishes it all the same. */
export function doubtsAbout(
  { marketPrice, sellingPrice, usedTime }: Stated,
  usual: FairPrice | null,
): Record<string, string[]> {
  const price = priceDoubt(sellingPrice, marketPrice, usual);
  const months = Number(/^\d+/.exec(usedTime)?.[0] ?? 0);
  const isOld = months > maxMonths;
  return {
    ...(price && { sellingPrice: [price] }),
    ...(isOld && {
      usedTime: [`That’s ${Math.floor(months / 12)} years. Is it right? If so, submit again.`],
    }),
  };
}

function priceDoubt(selling: number, market: number, usual: FairPrice | null): string | null {
  const confirm = "Is it right? If so, submit again.";
  if (usual && selling >= suspiciousTimes * usual.median)
    return `That’s ${Math.round(selling / usual.median)} times the usual price. ${confirm}`;
  if (usual && selling * suspiciousTimes <= usual.median)
    return `The usual price is ${priceLabel(usual.median)}. ${confirm}`;
  if (selling >= 2 * market) return `That’s ${Math.round(selling / market)} times the new price. ${confirm}`;
  return null;
}
