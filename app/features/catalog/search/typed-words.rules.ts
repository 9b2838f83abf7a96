import { market } from "#app/market.ts";
import { type FacetName, facets } from "./facets.rules.ts";
import type { SearchSort } from "./search-query.rules.ts";

// What people type, as tables, and what makes patterns of them, for `understand.rules.ts` and `read-again.rules.ts`. Where
// a table says so, its texts are regular expressions.

/** For a value of a filter, besides the values that are declared with it. */
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
    yes: [
      ...[
        "unlocked",
        "unlock",
        "gsm unlocked",
        "factory unlocked",
        "carrier unlocked",
        "network unlocked",
        "sim unlocked",
      ],
      ...["sim free", "no contract", "not locked", "not carrier locked", "no lock", "no carrier lock"],
      ...["any carrier", "all carriers"],
    ],
  },
  verified: { yes: ["verified", "verified seller", "verified sellers", "trusted seller"] },
  available: { yes: ["available", "available now", "in stock"] },
};

/** The words for the values of each filter. */
export const filterWords = facets.flatMap(({ name, legend, compares, values = [] }) => [
  ...(compares === "one of"
    ? values.map((value) => ({ name, legend, value, word: value.toLowerCase() }))
    : []),
  ...Object.entries(otherWords[name] ?? {}).flatMap(([value, words]) =>
    words.map((word) => ({ name, legend, value, word })),
  ),
]);

/** Carriers as people type them. An unlocked device works with each. */
export const carriers = [...market.otherCarriers, ...market.carriers].map((name) => ({
  name,
  words: waysToType(name.toLowerCase()),
}));

/** "t-mobile" is also typed as "t mobile" or "tmobile", "at&t" as "at and t". */
function waysToType(name: string): string[] {
  return [
    ...[name, name.replace("&", " and "), name.replace("&", " & ")],
    ...[name.replace(/\W/g, " "), name.replace(/\W/g, "")],
  ];
}

/** Makers name shades of a color: "deep purple", "sierra blue". */
export const shades = "deep dark light pale jet space phantom midnight alpine sierra pacific cosmic titanium";

/** For a list. The last wins: tablets have either operating system, "android tablet" names tablets. */
export const listWords = { android: ["android"], ios: ["ios"], tablet: ["tablets", "tablet"] };

/** Around what is wanted. */
export const fillerWords =
  "only what is that do you have how much cost device devices used pre-owned preowned refurbished refurb second-hand secondhand with w/ and or in on for a an the of to at least best buy sale want need looking please price priced condition color colour carrier storage capacity ram i me my show find any get selling minimum"
    .split(" ")
    .concat("second hand", "pre owned", "works with", "works on", "compatible with");

/** Of prices, as regular expressions. */
export const comparisons = {
  under:
    "under|below|sub|(?:less|cheaper|lower) th[ae]n|up to|at most|(?:no|not) (?:more than|over|above|higher than)|<=?",
  over: "over|above|(?:more|higher) th[ae]n|at least|from|starting at|min(?:imum)?\\.?|(?:no|not) (?:under|below|(?:less|cheaper|lower) th[ae]n)|>=?",
  cheap: "cheap|cheaper|budget|affordable|inexpensive|low[ -](?:cost|priced?)",
};

/** For a sort order of the list, as regular expressions. */
export const sortWords: { sort: SearchSort; words: string }[] = [
  { sort: "price-up", words: "cheapest|(?:lowest|best) prices?|low to high" },
  { sort: "price-down", words: "most expensive|high to low" },
  {
    sort: "saving",
    words:
      "(?:good|great|best) (?:deals?|value|offers?)|bargains?|(?:big|biggest|best) (?:discounts?|savings?)|discounted|on sale|black friday",
  },
  { sort: "newest", words: "newest|latest" },
];

/** Names that are typed in several ways, as regular expressions. */
export const nicknames = {
  iphone: "i[ -]phones?|iphones",
  ipad: "i[ -]pads?|ipads",
  pixel: "pixels",
  pro: "pros",
  oneplus: "(?:1|one)\\s?\\+(?=\\s?\\d)",
};

/** A screen's size, as a regular expression: `10.5"`, "11 inch". */
export const inches = '(?:[ -]?inch(?:es)?|-?in(?![\\p{L}\\p{N}])|["”″])';

/** What listings state, or don't, and no list filters by. Regular expressions. */
export const otherFacts = [
  "(?:with |in )?(?:the |its |original )*box(?:ed)?",
  // A charger alone is something else, see `otherGoods`.
  "(?:with|and|no) (?:charger|cable|stylus)(?: included)?|(?:charger|cable|stylus) included",
  "(?:with |no )?(?:accessories|receipt|warranty|apple\\s?care)(?: included)?",
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
  "(?:with )?(?:lots of|a lot of|plenty of|more|much|big|large) (?:storage|memory|space|ram)|folding|foldable",
  "sealed|open box|by owner|(?:no )?icloud (?:un)?lock(?:ed)?|(?:big|large|small)(?: (?:screen|display))?",
  `20[12]\\d|\\d{1,2}(?:\\.\\d)?${inches}`,
  "water\\s?(?:proof|resistant)|headphone jack|micro\\s?sd|usb[ -]c|(?:fast|wireless) charging|(?:face|touch) id",
  "(?<!(?:like|almost|as)[ -])(?:brand )?new(?! (?:york|jersey|orleans|mexico|hampshire))",
];

/** What isn't sold here, as a regular expression. */
export const otherGoods =
  "(?:smart\\s?)?watch(?:es)?|air\\s?pods?|(?:ear)?buds?|(?:ear|head)phones?|macbooks?|laptops?|cases?|(?:wireless |fast )?chargers?|cables?|stylus|screen protectors?|play\\s?station|ps[45]|xbox|consoles?";

/** Brands and lines of models. */
export const modelNames =
  "apple samsung google xiaomi motorola oneplus iphone ipad galaxy tab note pixel redmi moto";

/** What follows the number of a model. */
export const modelSuffixes = "pro max mini plus ultra";

/** For a regular expression. */
export const escapeRegExp = (text: string) => text.replace(/[.$*+?()[\]|]/g, "\\$&");

/** A regular expression for one of the texts, the longest that fits. */
export const alternatives = (texts: readonly string[]) =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escapeRegExp)
    .join("|");

/** Not behind, and not before, a letter or digit. */
export const wordStart = "(?<![\\p{L}\\p{N}])";
export const wordEnd = "(?![\\p{L}\\p{N}])";

/** Compiled when it is first used: all together take a good part of the time that the Worker needs to start. */
export function lazyRegExp(source: string): () => RegExp {
  let expression: RegExp | undefined;
  return () => {
    expression ??= new RegExp(source, "giu");
    return expression;
  };
}

/** Whole words. */
export const pattern = (words: string) => lazyRegExp(`${wordStart}(?:${words})${wordEnd}`);
