import { market } from "#app/market.ts";
import { plainLetters, singleLine } from "./sanitize-text.ts";

const { currency, currencyName, currencyFullName, currencySign, groupSign, decimalSign } = market;

/** How people write the market's currency: "$", "US$", "USD", "dollars", "US dollars". */
export const currencyWords = [
  currencySign,
  // ISO 4217 begins with the country.
  currency.slice(0, 2) + currencySign,
  currency,
  ...[currencyName, currencyFullName].flatMap((name) => [name, name.replace(/s$/, "")]),
];

const escaped = (text: string) => text.replace(/[.$]/g, "\\$&");
// Also with a space before the sign: "US $".
const ofMarket = currencyWords.map((word) => escaped(word).replace("\\$", "\\s?\\$")).join("|");

/** Prices with these signs, or with the group sign as the decimal sign before one or two last digits. */
function pricesWith(groupSign: string, decimalSign: string): RegExp {
  const [group, decimal] = [groupSign, decimalSign].map(escaped);
  return new RegExp(
    `^(?:${ofMarket})?\\s*(?:(\\d{1,9}|\\d{1,3}(?:([${groupSign} '’])\\d{3})(?:\\2\\d{3})?|(?=${decimal}\\d))(?:${decimal}(\\d{0,2}))?|(\\d{1,9}|\\d{1,3}(?:[ '’]\\d{3})+)${group}(\\d{1,2}))\\s*(?:${ofMarket})?$`,
    "i",
  );
}

const pricesOfMarket = pricesWith(groupSign, decimalSign);
const pricesWithOtherSigns = pricesWith(decimalSign, groupSign);

/**
 * Parses a price as people type it to cents: "349", "$1,250.50", "$.50", "1 299", "us$500", "500 USD". The group sign before one
 * or two last digits is a decimal sign: "349,50". Null if it is none, or one of another market, like "1.250,50" or "500€".
 *
 * @param hasOtherSigns whether it comes from where the two signs stand for each other: then "1.250,50" and "1.250" are prices
 */
export function parsePrice(typed: string | null, hasOtherSigns = false): number | null {
  const prices = hasOtherSigns ? pricesWithOtherSigns : pricesOfMarket;
  const found = prices.exec(singleLine(plainLetters(typed ?? "")));
  if (!found) return null;
  const [, whole = "", , cents = "", units = "", rest = ""] = found;
  // Not by floating point, which would round: "349.5" is 34900 + 50.
  return Number((whole || units).replace(/\D/g, "")) * 100 + Number((cents || rest).padEnd(2, "0"));
}

/** Of a field, in characters: "US$1,250.50 dollars". */
export const maxPriceLength = 20;

/** What is said to a price in another currency. */
export const otherCurrencyText = `Prices are in ${market.currencyFullName}`;

const foreign = new RegExp(market.otherCurrencies.map(escaped).join("|"), "i");

/** What a field says whose price cannot be read. */
export function unreadPriceText(label: string, typed = ""): string {
  const text = `${label} must be a number of ${currencyName}, like 349 or 349${decimalSign}50`;
  return foreign.test(typed) ? `${otherCurrencyText}. ${text}` : text;
}
