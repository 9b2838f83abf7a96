import { market } from "#app/market.ts";
import type { SearchQuery } from "./search-query.rules.ts";
import {
  alternatives,
  comparisons,
  fillerWords,
  inches,
  lazyRegExp,
  modelNames,
  modelSuffixes,
  otherFacts,
  pattern,
  wordEnd,
  wordStart,
} from "./typed-words.rules.ts";
import { tidy, unquoted, withoutUnderstood } from "./understand.rules.ts";

const facts = pattern(otherFacts.join("|"));
const cheap = pattern(comparisons.cheap);

const suffixes = `(?:[ -](?:${modelSuffixes.replaceAll(" ", "|")}))*`;
const name = `(?:${modelNames.replaceAll(" ", "|")})`;
/** The number of a model: not "8gb", "90%", `10"` or the storage of "6/64". */
const number = `(?!(?:32|64)${wordEnd})\\d{1,2}[aerst]?(?!${inches}|\\s?(?:[gt]b|gigs?|%|\\+|inch|battery))${suffixes}${wordEnd}`;
const model = `${wordStart}(?:${name} ?)*[a-z]{0,2}${number}`;
const joint = "(?:\\s?[/&,](?: ?(?:or|and))?|\\s(?:or|and|vs\\.?))";
const further = `(?:\\s|${joint}\\s?)${model}`;

/** Further models, "iphone 12 or 13", "s21 s22 s23", or a further brand. */
const otherModels = lazyRegExp(
  [
    `(?<=(?:[a-z]|${name} )${number})(?:${further})+`,
    `${joint}\\s?${model}(?:${further})*`,
    `${joint} ${name}(?: ${name})*${wordEnd}`,
  ].join("|"),
);

/** Sellers state their city, and no list filters by it. Looked for in what is left: "in blue" is a color. */
const place = lazyRegExp(
  `${wordStart}(?:in|near|around)(?:,? (?!(?:${alternatives(fillerWords)})(?!\\p{L}))\\p{L}[\\p{L}.'’-]*){1,3}`,
);

/** A last number that is in no model is a price: "iphone 300". */
const lastNumber = /(?<=[\p{L}\p{N}] )[1-9][05]0$/u;

/**
 * Reads words that nothing is found with once more: without the facts that no list filters by, "cheap" as the lowest
 * prices, and a last number as a price, unless it has been understood or there is a price. Null if that changes nothing.
 */
export function readAgain(asked: SearchQuery, understood: SearchQuery) {
  const words = unquoted(asked.words);
  const notes = { leftOut: [] as string[], otherModels: [] as string[] };
  const leave = (kind: keyof typeof notes) => (typed: string) => {
    notes[kind].push(typed.trim());
    return " ";
  };
  let filtered = words.replace(facts(), leave("leftOut")).replace(otherModels(), leave("otherModels"));
  const city = withoutUnderstood(filtered).match(place())?.[0];
  if (city) filtered = filtered.replace(city, leave("leftOut"));
  // The lowest prices, if nothing is as cheap as that.
  if (understood.toCents === market.cheapCents) filtered = filtered.replace(cheap(), "cheapest");
  const left = filtered === words ? words : tidy(filtered);
  const isPrice = understood.toCents === null && lastNumber.test(understood.words);
  const priced = isPrice ? left.replace(lastNumber, (price) => market.currencySign + price) : left;
  return priced === words ? null : { words: priced, ...notes };
}

/** The facts in words that name no model by a number: "5g phone" finds those with "5G" in their name, not all. */
export function factsInNames(words: string): string[] {
  return /\d/.test(words.replace(facts(), " ")) ? [] : (words.match(facts()) ?? []);
}
