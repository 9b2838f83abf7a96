/**
 * A price in dollars as people type it: "349", "349.50", "349,50", "1,250", "$1,250.50". A comma before one or two last
 * digits is a decimal comma; before each three digits it separates thousands. Anything else is refused, like "1.250,50".
 */
export const typedPrice = /^\$?\s*(?:\d{1,9},\d{1,2}|(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{0,2})?)$/;

/** Parses a typed price to cents; null if it is none. */
export function parsePrice(typed: string | null): number | null {
  const text = typed?.trim() ?? "";
  if (!typedPrice.test(text)) return null;
  const plain = text
    .replace(/^\$\s*/, "")
    .replace(/,(?=\d{1,2}$)/, ".")
    .replaceAll(",", "");
  // Not by floating point, which would round: "349.5" is 34900 + 50.
  const [dollars = "0", cents = ""] = plain.split(".");
  return Number(dollars) * 100 + Number(cents.padEnd(2, "0"));
}
