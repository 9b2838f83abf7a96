import { market } from "#app/market.ts";
import { type FacetName, facets } from "./facets.rules.ts";

// The words that people type. Patterns of prices, sizes, batteries and sort orders are in `understand.rules.ts`.

/** What people also type for a value of a filter, besides the values that are declared with it. */
const otherWords: { [name in FacetName]?: Record<string, readonly string[]> } = {
  phones: {
    yes: ["phone", "smartphone", "smart phone", "smart-phone", "mobile phone", "cell phone", "cellphone"]
      .concat("mobile", "cell", "handset")
      .flatMap((word) => [word, `${word}s`]),
  },
  condition: {
    Excellent: [
      ...["like new", "almost new", "as new", "mint", "near mint", "very good", "flawless"],
      ...["perfect", "great condition", "great shape"],
    ],
  },
  color: {
    Gray: ["grey", "space gray", "space grey", "graphite", "natural titanium"],
    Gold: ["golden", "desert titanium"],
    Red: ["product red", "(product)red", "(product) red"],
    Pink: ["rose gold"],
    Purple: ["violet", "lavender", "lilac"],
    Blue: ["navy"],
    Black: ["midnight"],
    White: ["starlight"],
  },
  unlocked: {
    // An unlocked device works with each of the carriers.
    yes: [
      ...[
        "unlocked",
        "factory unlocked",
        "carrier unlocked",
        "network unlocked",
        "sim unlocked",
        "sim free",
        "no contract",
      ],
      ...["not locked", "not carrier locked", "no lock", "no carrier lock", "any carrier", "all carriers"],
      ...market.carriers.flatMap((name) => waysToType(name.toLowerCase())),
    ],
  },
  verified: { yes: ["verified", "verified seller", "verified sellers", "trusted seller"] },
  available: { yes: ["available", "available now", "in stock"] },
};

/** "t-mobile" is also typed as "t mobile" or "tmobile", "at&t" as "at and t". */
function waysToType(name: string): string[] {
  return [name, name.replace("&", " and "), name.replace(/\W/g, " "), name.replace(/\W/g, "")];
}

/** Makers name shades of a color: "deep purple", "sierra blue". */
export const shades =
  "(?:(?:deep|dark|light|pale|jet|space|phantom|midnight|alpine|sierra|pacific|cosmic|titanium) )?";

/** What people type for a list. The last wins: tablets have either operating system, "android tablet" names tablets. */
export const listWords = { android: ["android"], ios: ["ios"], tablet: ["tablets", "tablet"] };

/** The words for the values of each filter. */
export const filterWords = facets.flatMap(({ name, legend, compares, values = [] }) => [
  ...(compares === "one of"
    ? values.map((value) => ({ name, legend, value, word: value.toLowerCase() }))
    : []),
  ...Object.entries(otherWords[name] ?? {}).flatMap(([value, words]) =>
    words.map((word) => ({ name, legend, value, word })),
  ),
]);

/** Words around what is wanted. */
export const fillerWords =
  "only what is do you have how much cost device devices used pre-owned preowned refurbished refurb second-hand secondhand with and or in on for a an the of to at least best buy sale want need looking please price priced condition color colour carrier storage capacity ram i me my".split(
    " ",
  );

/** For a regular expression. */
export const escaped = (text: string) => text.replace(/[.$*+?()[\]|]/g, "\\$&");
/** A regular expression for one of the texts, the longest that fits. */
export const oneOf = (texts: readonly string[]) =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join("|");
/** Before a digit words belong to a name: "Nothing Phone (1)". */
export const beforeNoDigit = "(?!\\s?\\(?\\d)";
/** Compiled when it is first used: all together take a good part of the time that the Worker needs to start. */
export function compiled(source: string): () => RegExp {
  let expression: RegExp | undefined;
  return () => {
    expression ??= new RegExp(source, "giu");
    return expression;
  };
}
/** Whole words. */
export const pattern = (words: string) => compiled(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`);

/** Ways to write names, and units that iPads have or lack in theirs: "iphones", "i phone 13", "ipad pro 11 inch". */
export function plainNames(typed: string): string {
  const names = typed
    .replace(/(?<![\p{L}\p{N}])(i)[ -](phone|pad)/giu, "$1$2")
    .replace(/(?<![\p{L}\p{N}])(iphone|ipad|pixel)s(?![\p{L}\p{N}])/giu, "$1")
    .replace(/(?<=\d)["”″]/g, "");
  return /\bipad/i.test(names) ? names.replace(/(?<=\d)[ -]?inch(?:es)?(?![\p{L}\p{N}])/giu, "") : names;
}

/** Words of at least five letters that a typing mistake may be in, and shorter ones with two letters swapped. */
const vocabulary = [
  ...filterWords.map(({ word }) => word),
  ...Object.values(listWords).flat(),
  ..."under below cheap cheapest battery storage condition".split(" "),
].filter((word) => /^[a-z]{4,}$/.test(word));

/** Corrects a mistyped word of the vocabulary: one letter missing, added, wrong, or two swapped; the first is right. */
export function corrected(typed: string): string {
  const word = typed.toLowerCase();
  if (word.length < 4 || vocabulary.includes(word)) return typed;
  return vocabulary.find((known) => known[0] === word[0] && isMistyped(word, known)) ?? typed;
}

function isMistyped(word: string, known: string): boolean {
  const at = [...known].findIndex((letter, index) => letter !== word[index]);
  const [rest, meant] = at < 0 ? [word.slice(known.length), ""] : [word.slice(at), known.slice(at)];
  if (rest.slice(0, 2) === [...meant.slice(0, 2)].reverse().join("") && rest.slice(2) === meant.slice(2)) {
    return meant.length >= 2;
  }
  if (known.length < 5 || word.length < 5) return false;
  return rest.slice(1) === meant || rest === meant.slice(1) || rest.slice(1) === meant.slice(1);
}

/** What listings state, or don't, and no list filters by. */
export const otherFacts = pattern(
  [
    "(?:with |in )?(?:the |its |original )*box(?:ed)?",
    "(?:with |no )?(?:charger|cable|accessories|receipt|warranty|apple\\s?care|stylus)(?: included)?",
    "(?:no|without|few|light|minor) (?:scratch(?:es)?|cracks?|dents?|damage)|scratch(?:ed|less|-free| free)",
    "cracked(?: screen)?|damaged|broken|for parts|(?:in )?(?:poor|bad|rough|working) (?:condition|shape|order)",
    "(?:not|never|no|un)\\s?(?:been )?repair(?:ed|s)|repaired",
    "(?:original|new|replaced) (?:screen|display|battery|parts)",
    "(?:free |fast )?(?:shipping|delivery)|ships?|shipped|delivered",
    "(?:local )?pick\\s?up|in person|meet\\s?up|near\\s?(?:me|by)|local",
    "[45]g|lte|wi-?fi|cellular|gps|nfc|(?:dual|e)[ -]?sim",
    "(?:good|great|best) camera|(?:big|long|large) battery(?: life)?|\\d{4,5}\\s?mah|gaming",
    "for (?:my )?(?:kids?|child(?:ren)?|son|daughter|mom|dad|parents?|seniors?|work|school)|kid'?s'?",
    "for (?:drawing|reading|gaming|games|studying|streaming|travel|business|photos|photography|movies)",
    "(?:with )?(?:lots of|a lot of|plenty of|more|much) (?:storage|memory|space|ram)|folding|foldable",
    "sealed|open box|by owner|(?:no )?icloud (?:un)?lock(?:ed)?|(?:big|large|small)(?: (?:screen|display))?",
    "20[12]\\d|\\d{1,2}(?:\\.\\d)?[ -]?inch(?:es)?",
    "water\\s?(?:proof|resistant)|headphone jack|micro\\s?sd|usb[ -]c|(?:fast|wireless) charging|(?:face|touch) id",
    "(?<!(?:like|almost|as)[ -])(?:brand )?new(?! (?:york|jersey|orleans|mexico|hampshire))",
  ].join("|"),
);

/** What follows the number of a model. */
export const modelSuffixes = "(?: (?:pro|max|mini|plus|ultra))*";
const name = "(?:apple|samsung|google|xiaomi|motorola|oneplus|iphone|ipad|galaxy|tab|note|pixel|redmi|moto)";

/** A second model, "iphone 12 or 13", or a second brand: a search is for one. */
export const otherModel = pattern(
  `(?:or|and|vs\\.?|[/&])\\s?(?:(?:${name} ?)*[a-z]{0,2}\\d{1,2}[aerst]?(?!\\s?(?:[gt]b|gigs?|%|\\+|inch|battery))${modelSuffixes}|${name}(?: ${name})*)`,
);

/** Sellers state their city, and no list filters by it. Looked for in what is left: "in blue" is a color. */
export const place = compiled(
  `(?<![\\p{L}\\p{N}])(?:in|near|around)(?:,? (?!(?:${oneOf(fillerWords)})(?!\\p{L}))\\p{L}[\\p{L}.'’-]*){1,3}`,
);

/** The facts in words that name no model by a number: "5g phone" finds those with "5G" in their name, not all. */
export function factsInNames(words: string): string[] {
  return /\d/.test(words.replace(otherFacts(), " ")) ? [] : (words.match(otherFacts()) ?? []);
}

/** A last number that is in no model is a price: "iphone 300". */
export const lastNumber = /(?<=[\p{L}\p{N}] )[1-9][05]0$/u;
