import { market } from "#app/market.ts";

const escaped = (text: string) => text.replace(/[.$]/g, "\\$&");
const [sign, group, decimal] = [market.currencySign, market.groupSign, market.decimalSign].map(escaped);
const whole = `\\d{1,9}|\\d{1,3}(?:${group}\\d{3}){1,2}`;

/**
 * A price as people type it: "349", "349.50", "349,50", "1,250", "$1,250.50", "349$". The group sign before one or two
 * last digits is a decimal sign; before each three digits it separates thousands. Anything else is refused, like
 * "1.250,50".
 */
export const typedPrice = new RegExp(
  `^${sign}?\\s*(?:\\d{1,9}${group}\\d{1,2}|(?:${whole})(?:${decimal}\\d{0,2})?)\\s*${sign}?$`,
);

/** Parses a typed price to cents; null if it is none. */
export function parsePrice(typed: string | null): number | null {
  const text = typed?.trim() ?? "";
  if (!typedPrice.test(text)) return null;
  // Not by floating point, which would round: "349.5" is 34900 + 50.
  const [, units = "0", cents = ""] = /^(.+?)(?:[.,](\d{0,2}))?$/.exec(text.replace(/[^\d.,]/g, "")) ?? [];
  return Number(units.replace(/\D/g, "")) * 100 + Number(cents.padEnd(2, "0"));
}
