import { market } from "#app/market.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { type Category, categories } from "../category.rules.ts";
import { type FacetName, type Filters, facets, noFilters } from "./facets.rules.ts";
import { defaultOrder, type SearchOrder, type SearchQuery } from "./search-query.rules.ts";
import { storageSizes } from "./search-words.rules.ts";

/** What people also type for a value of a filter, besides the values that are declared with it. */
const otherWords: { [name in FacetName]?: Record<string, readonly string[]> } = {
  phones: {
    yes: ["phone", "smartphone", "smart phone", "smart-phone", "mobile phone", "cell phone", "cellphone"]
      .concat("mobile", "cell", "handset")
      .flatMap((word) => [word, `${word}s`]),
  },
  condition: { Excellent: ["like new", "mint", "very good", "flawless"] },
  color: {
    Gray: ["grey", "space gray", "space grey", "graphite"],
    Gold: ["golden"],
    Pink: ["rose gold"],
    Purple: ["violet", "lavender"],
    Black: ["midnight"],
    White: ["starlight"],
  },
  unlocked: {
    // An unlocked device works with each of the carriers.
    yes: [
      ...["unlocked", "factory unlocked", "carrier unlocked", "sim free", "sim-free", "no contract"],
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
const shades =
  "(?:(?:deep|dark|light|pale|jet|space|phantom|midnight|alpine|sierra|pacific|cosmic|titanium) )?";

/** What people type for a list. Tablets have either operating system, so that "android tablet" names tablets. */
const listWords = { android: ["android"], ios: ["ios"], tablet: ["tablets", "tablet"] };

/** The words for the values of each filter. */
const filterWords = facets.flatMap(({ name, legend, compares, values = [] }) => [
  ...(compares === "one of"
    ? values.map((value) => ({ name, legend, value, word: value.toLowerCase() }))
    : []),
  ...Object.entries(otherWords[name] ?? {}).flatMap(([value, words]) =>
    words.map((word) => ({ name, legend, value, word })),
  ),
]);

/** What typed words say: filters, and the words that are left for the text search. */
interface Understood {
  text: string;
  filters: Filters;
  category: Category | null;
  fromCents: number | null;
  toCents: number | null;
  order: SearchOrder | null;
}

/** Words that are looked for, and what they say. The matched words leave the text, unless `says` refuses with `false`. */
type Pattern = [words: RegExp, says: (understood: Understood, ...groups: (string | undefined)[]) => unknown];

const escaped = (text: string) => text.replace(/[.$*+?()[\]|]/g, "\\$&");
const oneOf = (texts: readonly string[]) =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join("|");
/** Before a digit words belong to a name: "Nothing Phone (1)". */
const beforeNoDigit = "(?!\\s?\\(?\\d)";
/** Whole words. */
const pattern = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "giu");

const sign = escaped(market.currencySign);
const currency = `(?:${sign}|${market.currencyName}?|${market.currency}|bucks)`;
const number = `\\d{1,9}(?:${escaped(market.groupSign)}\\d{3})*(?:${escaped(market.decimalSign)}\\d{1,2})?k?`;
/** With or without a currency, but not a size, a percentage or anything else with a unit. */
const amount = `(${sign}?\\s?${number}(?:\\s?${currency})?)(?!\\s?(?:[gt]b|%|mah|mp|gigs?|hz)|[\\p{L}\\p{N}])`;
const withCurrency = `(${sign}\\s?${number}|${number}\\s?${currency})`;
const under =
  "under|below|sub|less than|cheaper than|up to|at most|(?:no|not) more than|not (?:over|above)|<=?";
const over = "over|above|more than|at least|from|starting at|>=?";

const isPlainSize = (typed: string) => storageSizes.includes(typed.trim());

/** A lower number without a currency is hardly a price. */
const minPriceCents = 2000;

function cents(typed = ""): number | null {
  const digits = parsePrice(typed.replace(/[^\d.,]/g, ""));
  const price = digits && digits * (/\dk/i.test(typed) ? 1000 : 1);
  const isSure = new RegExp(currency, "i").test(typed);
  return price !== null && (isSure || price >= minPriceCents) ? price : null;
}

function upTo(understood: Understood, typed?: string) {
  const price = cents(typed);
  if (price === null) return false;
  understood.toCents = price;
}

function from(understood: Understood, typed?: string) {
  const price = cents(typed);
  if (price === null) return false;
  understood.fromCents = price;
}

function between(understood: Understood, low = "", high = "") {
  const [least, most] = [cents(low), cents(high)];
  // "128-256" are sizes.
  if (least === null || most === null || least >= most || (isPlainSize(low) && isPlainSize(high)))
    return false;
  Object.assign(understood, { fromCents: least, toCents: most });
}

function choose({ filters }: Understood, name: FacetName, value: string) {
  if (!filters[name].includes(value)) filters[name] = [...filters[name], value];
}

const prices: Pattern[] = [
  // "Fair" is no condition there.
  [pattern("(?:good|fair|great|nice|best) (?:prices?|deals?|value|offers?)"), () => undefined],
  [pattern(`(?:between |from )?${amount}\\s?(?:-|–|to|and|&)\\s?${amount}`), between],
  [new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?=<))(?:${under})\\s?${amount}`, "giu"), upTo],
  [
    // "pro max 256" is a size.
    pattern(`(?:max(?:imum)?\\.?|for|within|budget(?: of)?)\\s?${amount}`),
    (understood, typed = "") => (isPlainSize(typed) ? false : upTo(understood, typed)),
  ],
  [pattern(`${amount}\\s?(?:or (?:less|under|below|cheaper)|and (?:under|below)|max(?:imum)?)`), upTo],
  [pattern(`${amount}\\s?(?:or (?:more|over|above)|and (?:over|above|up))`), from],
  [new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?=>))(?:${over})\\s?${amount}`, "giu"), from],
  [
    pattern(`(?:around|about|roughly|approx(?:imately)?\\.?)\\s?${amount}`),
    (understood, typed) => {
      const price = cents(typed);
      if (price === null) return false;
      // Whole tens of the currency.
      Object.assign(understood, {
        fromCents: Math.round(price * 0.00085) * 1000,
        toCents: Math.round(price * 0.00115) * 1000,
      });
    },
  ],
  [new RegExp(`(?<![\\p{L}\\p{N}])${withCurrency}(?![\\p{L}\\p{N}])`, "giu"), upTo],
  [
    pattern("cheap|budget|affordable|inexpensive|low cost"),
    (understood) => {
      understood.toCents ??= market.cheapCents;
    },
  ],
  [
    pattern("cheapest|lowest price|low to high"),
    (understood) => {
      understood.order = "price-up";
    },
  ],
];

const batteryLevels = facets.find(({ name }) => name === "battery")?.values ?? [];

function battery({ filters }: Understood, percent?: string) {
  const level = batteryLevels.findLast((value) => Number(value) <= Number(percent)) ?? batteryLevels[0];
  if (!level || Number(percent) > 100) return false;
  filters.battery = [level];
}

const batteries: Pattern[] = [
  [
    pattern(
      `battery(?: health| life)?\\s?(?:of |at )?(?:${over}|least|min(?:imum)?)?\\s?(\\d{2,3})\\s?%?(?:\\+| or (?:more|better))?`,
    ),
    battery,
  ],
  [
    new RegExp(
      `(?:(?:${over})\\s?)?(?<![\\p{L}\\p{N}])(\\d{2,3})\\s?%\\+?(?: or (?:more|better))?(?: battery(?: health| life)?)?(?![\\p{L}\\p{N}])`,
      "giu",
    ),
    battery,
  ],
  [pattern("(\\d{2,3}) battery(?: health)?"), battery],
  [
    pattern("(?:good|great|excellent|strong|healthy) battery(?: health| life)?"),
    (understood) => battery(understood, batteryLevels[1]),
  ],
];

/** RAM has at most so many gigabytes, storage more; unless the words say which it is. */
const maxRam = 24;

function memory(understood: Understood, digits = "", unit = "", column = "") {
  const isTerabytes = /^t/i.test(unit);
  const isRam = column ? /^(?:ram|memory)$/i.test(column) : !isTerabytes && Number(digits) <= maxRam;
  choose(understood, isRam ? "ram" : "rom", `${Number(digits)} ${isTerabytes ? "TB" : "GB"}`);
}

const memoryUnit = "gb|gigs?|gigabytes?|tb|terabytes?";
const sizes: Pattern[] = [
  [
    pattern("(\\d{1,2})\\s?(?:gb)?\\s?[/+]\\s?(\\d{2,4})\\s?(gb|tb)?"),
    (understood, ram = "", rom, unit) => {
      if (Number(ram) > maxRam) return false;
      memory(understood, ram, "gb", "ram");
      memory(understood, rom, unit, "storage");
    },
  ],
  [
    pattern(`(\\d{1,4})\\s?(${memoryUnit})(?: of)?(?: (ram|memory|storage|rom))?`),
    (understood, digits, unit, column) =>
      // A memory of 128 GB is no RAM.
      memory(understood, digits, unit, Number(digits) > maxRam && column === "memory" ? "storage" : column),
  ],
  [
    pattern(`(ram|storage|rom) (\\d{1,4})\\s?(${memoryUnit})?`),
    (understood, column, digits, unit) => memory(understood, digits, unit, column),
  ],
  [pattern("(\\d{1,2}) (ram)"), (understood, digits, column) => memory(understood, digits, "gb", column)],
  [pattern(`(${storageSizes.join("|")})g?`), (understood, digits) => memory(understood, digits)],
];

const values: Pattern[] = filterWords
  .toSorted((one, other) => other.word.length - one.word.length)
  .map(({ name, legend, value, word }) => {
    const named = legend.toLowerCase();
    const shade = name === "color" ? shades : "";
    const notAName = name === "phones" ? beforeNoDigit : "";
    return [
      pattern(`(?:in )?(?:${named} )?${shade}${escaped(word)}(?: ${named})?${notAName}`),
      (understood) => choose(understood, name, value),
    ];
  });

const lists: Pattern[] = Object.entries(listWords).map(([key, words]) => [
  pattern(`(?:${words.join("|")})(?: (?:phones?|devices?))?`),
  (understood) => {
    understood.category = categories.find((category) => category.key === key) ?? null;
  },
]);

/** Words around what is wanted. */
export const fillerWords =
  "only device devices used pre-owned preowned refurbished second-hand secondhand with and or in on for a an the of to at least best buy sale want need looking please price priced condition color colour carrier storage capacity ram i me my".split(
    " ",
  );
const fillers: Pattern = [pattern(`(?:${oneOf(fillerWords)})${beforeNoDigit}`), () => undefined];

const patterns = [...batteries, ...prices, ...sizes, ...values, ...lists, fillers];

/** Names that people also type in the plural. */
const plurals = /(?<![\p{L}\p{N}])(iphone|ipad|pixel)s(?![\p{L}\p{N}])/giu;

/** Words of at least five letters that a typing mistake may be in, and shorter ones with two letters swapped. */
const vocabulary = [
  ...filterWords.map(({ word }) => word),
  ...Object.values(listWords).flat(),
  ..."under below cheap cheapest battery storage condition".split(" "),
].filter((word) => /^[a-z]{4,}$/.test(word));

/** Corrects a mistyped word of the vocabulary: one letter missing, added, wrong, or two swapped; the first is right. */
function corrected(typed: string): string {
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

/** Reads filters from typed words: "blue iphone 13 under $300" is "iphone 13" in blue, up to $300. */
export function understand(typed: string): Understood {
  const words = typed.replace(plurals, "$1");
  const understood: Understood = {
    text: words.replace(/\p{L}+/gu, corrected),
    filters: noFilters,
    category: null,
    fromCents: null,
    toCents: null,
    order: null,
  };
  understood.filters = { ...noFilters };
  const spelled = understood.text;
  for (const [wanted, says] of patterns) {
    understood.text = understood.text.replace(wanted, (matched, ...rest) => {
      const groups = rest.slice(
        0,
        rest.findIndex((part) => typeof part === "number"),
      );
      return says(understood, ...groups) === false ? matched : " ";
    });
  }
  // Typing mistakes in other words are corrected by what is for sale.
  return { ...understood, text: understood.text === spelled ? words : tidy(understood.text) };
}

/** Without what stood around words that are gone. */
function tidy(text: string): string {
  return text
    .replace(/\(\s*\)|["“”]|[,;](?=\s|$)/g, " ")
    .trim()
    .replace(/\s+/g, " ");
}

/** What listings state, or don't, and no list filters by. */
const otherFacts = pattern(
  [
    "(?:with |in )?(?:the |its |original )*box(?:ed)?",
    "(?:with |no )?(?:charger|cable|accessories)(?: included)?",
    "(?:no|without|few|light|minor) (?:scratch(?:es)?|cracks?|dents?|damage)|scratch(?:ed|less|-free| free)",
    "cracked(?: screen)?|damaged|broken|for parts",
    "(?:not|never|no|un)\\s?(?:been )?repair(?:ed|s)|repaired",
    "(?:original|new|replaced) (?:screen|display|battery|parts)",
    "(?:free |fast )?(?:shipping|delivery)|ships?|shipped|delivered",
    "(?:local )?pick\\s?up|in person|meet\\s?up|near\\s?(?:me|by)|local",
    "[45]g|lte|wi-?fi|cellular|gps|nfc|(?:dual|e)[ -]?sim",
    "(?:good|great|best) camera",
    "(?<!like )(?:brand )?new",
  ].join("|"),
);

/** A last number that is in no model is a price: "iphone 300". */
const lastNumber = /(?<=[\p{L}\p{N}] )[1-9][05]0$/u;

/**
 * Reads words that nothing is found with once more: without the facts that no list filters by, and a last number as a
 * price, unless there is one. Null if that changes nothing.
 */
export function readAgain({ words, toCents }: SearchQuery) {
  const notFiltered: string[] = [];
  const filtered = words.replace(otherFacts, (found) => {
    notFiltered.push(found);
    return " ";
  });
  const left = notFiltered.length > 0 ? tidy(filtered) : words;
  const priced = toCents === null ? left.replace(lastNumber, (price) => market.currencySign + price) : left;
  return priced === words ? null : { words: priced, notFiltered };
}

/** The search that a list shows: what the typed words say, besides what is chosen already. */
export function understandQuery(
  category: Category,
  query: SearchQuery,
): { category: Category; query: SearchQuery } {
  if (query.exact || query.words === "") return { category, query };
  const { text, filters, order, ...said } = understand(query.words);
  const isSorted = query.order !== defaultOrder(query.words);
  const understood: SearchQuery = {
    ...query,
    words: text,
    filters: Object.fromEntries(
      // What is typed is newer than what was chosen before.
      facets.map(({ name }) => [
        name,
        filters[name].length > 0 ? filters[name].toSorted() : query.filters[name],
      ]),
    ) as Filters,
    fromCents: said.fromCents ?? query.fromCents,
    toCents: said.toCents ?? query.toCents,
    order: isSorted ? query.order : (order ?? defaultOrder(text)),
  };
  // The cursor is one of another order.
  if (understood.order !== query.order) understood.cursor = null;
  const list = category.key === "tablet" ? category : (said.category ?? category);
  // "Android phone": the list has phones alone, or tablets alone.
  if (list.key !== "products") understood.filters.phones = [];
  return { category: list, query: understood };
}
