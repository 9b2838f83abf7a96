import { market } from "#app/market.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { imeiText, isImei } from "../../listings/imei.rules.ts";
import { type Category, categoryByKey } from "../category.rules.ts";
import { type FacetName, type Filters, facets, noFilters } from "./facets.rules.ts";
import { defaultSort, type SearchQuery, type SearchSort } from "./search-query.rules.ts";
import { storageSizes } from "./search-words.rules.ts";
import { correctedFilterWord } from "./spelling.rules.ts";
import {
  alternatives,
  carriers,
  comparisons,
  escapeRegExp,
  fillerWords,
  filterWords,
  inches,
  lazyRegExp,
  listWords,
  modelSuffixes,
  nicknames,
  pattern,
  shades,
  sortWords,
  wordEnd,
  wordStart,
} from "./typed-words.rules.ts";

/** What typed words say: filters, and the words that are left for the text search. */
interface Understood {
  text: string;
  filters: Filters;
  /** The lists that words name, of which the last is shown, with those words. */
  lists: { category: Category; typed: string }[];
  fromCents: number | null;
  toCents: number | null;
  sort: SearchSort | null;
  notes: SearchNotes;
}

/** What the list doesn't show as its filters. */
export interface SearchNotes {
  /** Typed words that are left out, since no list filters by them. */
  leftOut: string[];
  /** Further models that are left out: a search is for one. */
  otherModels: string[];
  /** Carriers that only unlocked devices are shown for: several, one beside “unlocked”, or one that no device is locked to. */
  carriers: string[];
  /** Facts that no list filters by, and that only devices with them in their name are found by. */
  onlyInNames: string[];
}

export const noNotes: SearchNotes = { leftOut: [], otherModels: [], carriers: [], onlyInNames: [] };

/** Words that are looked for, and what they say. The matched words leave the text, unless `says` refuses with `false`. */
type Pattern = [
  words: () => RegExp,
  says: (understood: Understood, ...groups: (string | undefined)[]) => unknown,
];

const sign = escapeRegExp(market.currencySign);
const currency = `(?:${sign}|${market.currencyName}?|${market.currency}|bucks)`;
const number = `\\d{1,9}(?:${escapeRegExp(market.groupSign)}\\d{3})*(?:${escapeRegExp(market.decimalSign)}\\d{1,2})?k?`;
/** With or without a currency, but not a size, a percentage or anything else with a unit. */
const amount = `(${sign}?\\s?${number}(?:\\s?${currency})?)(?!\\s?(?:[gt]b|%|mah|mp|gigs?|hz)|[\\p{L}\\p{N}])`;
const withCurrency = `(${sign}\\s?${number}|${number}\\s?${currency})`;
const { under, over, cheap } = comparisons;

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
  if (least === null || most === null) return false;
  const isInverted = least > most;
  // "128-256" are sizes, "500-64" has one.
  if (isPlainSize(high) && (isPlainSize(low) || isInverted)) return false;
  const [fromCents, toCents] = isInverted ? [most, least] : [least, most];
  Object.assign(understood, { fromCents, toCents });
}

function leaveOut({ notes }: Understood, typed = "") {
  notes.leftOut = [...notes.leftOut, typed];
}

function choose({ filters }: Understood, name: FacetName, value: string) {
  if (!filters[name].includes(value)) filters[name] = [...filters[name], value];
}

const prices: Pattern[] = [
  // "Fair" is no condition there.
  [pattern("((?:good|fair|great|nice|decent|reasonable) prices?)"), leaveOut],
  [pattern(`(?:between |from )?${amount}\\s?(?:-|–|to|and|&)\\s?${amount}`), between],
  [
    // The longer one first: "not under" is no "under".
    lazyRegExp(`(?:${wordStart}|(?=[<>]))(?:(${under})|${over})\\s?(?:of )?${amount}`),
    (understood, isUnder, typed) => (isUnder ? upTo(understood, typed) : from(understood, typed)),
  ],
  [
    // "pro max 256" is a size, "13 pro max 600" a model with a price.
    pattern(`(?<!(?:pro|xs)[ -])(?:max(?:imum)?\\.?|for|at|within|budget(?: of)?)\\s?${amount}`),
    (understood, typed = "") => (isPlainSize(typed) ? false : upTo(understood, typed)),
  ],
  [pattern(`${amount}\\s?(?:or (?:less|under|below|cheaper)|and (?:under|below)|max(?:imum)?)`), upTo],
  [
    lazyRegExp(
      `${wordStart}${amount}\\s?(?:(?:or (?:more|over|above)|and (?:over|above|up)|min(?:imum)?)${wordEnd}|\\+)`,
    ),
    (understood, typed = "") => (isPlainSize(typed) ? false : from(understood, typed)),
  ],
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
  [pattern(withCurrency), upTo],
  [
    pattern(cheap),
    (understood) => {
      understood.toCents ??= market.cheapCents;
      understood.sort = "price-up";
    },
  ],
  ...sortWords.map(
    ({ sort, words }): Pattern => [
      pattern(words),
      (understood) => {
        understood.sort = sort;
      },
    ],
  ),
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
      `(?:battery(?: health| life)?|bh)\\s?(?:of |at )?(?:${over})?\\s?(\\d{2,3})\\s?(?:%|percent)?(?:\\+| or (?:more|better))?`,
    ),
    battery,
  ],
  [
    lazyRegExp(
      `(?:(?:${over})\\s?)?(?<![\\p{L}\\p{N}])(\\d{2,3})\\s?(?:%|percent)\\+?(?: or (?:more|better))?(?: battery(?: health| life)?)?(?![\\p{L}\\p{N}])`,
    ),
    battery,
  ],
  [pattern("(\\d{2,3})\\+? battery(?: health)?"), battery],
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
    (understood, ram = "", rom = "", unit) => {
      // "iphone 12/13" are two models.
      if (Number(ram) > maxRam || (!unit && Number(rom) < 16)) return false;
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

const carrierPatterns: Pattern[] = carriers.map(({ name, words }) => [
  pattern(alternatives(words)),
  ({ notes }) => {
    if (!notes.carriers.includes(name)) notes.carriers = [...notes.carriers, name];
  },
]);

/** Filters by the typed carriers. One carrier alone also finds devices locked to it. */
function chooseCarrier({ filters, notes }: Understood) {
  const [carrier, ...others] = notes.carriers;
  if (carrier === undefined) return;
  const isAlone = filters.unlocked.length === 0 && others.length === 0;
  if (isAlone && market.carriers.some((name) => name === carrier)) {
    filters.unlocked = [carrier];
    notes.carriers = [];
  } else {
    filters.unlocked = ["yes"];
  }
}

const shade = `(?:(?:${shades.replaceAll(" ", "|")}) )?`;
/** Before a short number words belong to a name: "Nothing Phone (1)". */
const beforeNoNumber = `(?!\\s?\\(?\\d{1,2}a?${wordEnd})`;

const values: Pattern[] = filterWords
  .toSorted((one, other) => other.word.length - one.word.length)
  .map(({ name, legend, value, word }) => {
    const named = legend.toLowerCase();
    const [before, after] = name === "color" ? [shade, "(?: titanium)?"] : ["", ""];
    const typed = escapeRegExp(word).replaceAll(" ", "[ -]");
    const notAName = name === "phones" ? beforeNoNumber : "";
    return [
      pattern(`(?:in )?(?:${named} )?${before}${typed}${after}(?: ${named}| shape)?${notAName}`),
      (understood) => choose(understood, name, value),
    ];
  });

const lists: Pattern[] = Object.entries(listWords).map(([key, words]) => [
  pattern(`(${words.join("|")})(?: (?:phones?|devices?))?`),
  ({ lists }, typed = "") => {
    lists.push({ category: categoryByKey(key as Category["key"]), typed });
  },
]);

const fillers: Pattern = [pattern(`(?:${alternatives(fillerWords)})${beforeNoNumber}`), () => undefined];

const locker = `(?:carrier|sim|network|${alternatives(market.carriers)}) `;

const suffixes = `(?: (?:${modelSuffixes.replaceAll(" ", "|")}))*`;

/** What people type, but nobody searches by. */
const ignored: Pattern[] = [
  [
    pattern(`(?:imei:?\\s?(?:number)?\\s?)?(${imeiText})`),
    (understood, typed = "") => (isImei(typed) ? leaveOut(understood, typed) : false),
  ],
  [pattern(`(?<!not (?:${locker})?)((?:${locker})?locked(?: to \\S+)?)`), leaveOut],
  // "iphone not blue"; but "not locked" is a filter, "not over 300" a price, and repairs are other facts.
  [
    pattern(
      `(not (?!(?:${locker})?locked|over|above|more|higher|under|below|less|cheaper|lower|been|repaired)(?:(?:in|for|from|too|so|very|like|an?|the) )?[\\p{L}\\p{N}&-]+(?: ?[gt]b|${suffixes}))`,
    ),
    leaveOut,
  ],
];

const patterns = [...ignored, ...batteries, ...prices, ...sizes, ...carrierPatterns, ...values, ...lists];

/** Reads filters from typed words: "blue iphone 13 under $300" is "iphone 13" in blue, up to $300. */
export function understand(typed: string): Understood {
  const words = normalizeNames(typed);
  const understood = emptyReading(words);
  const spelled = understood.text;
  for (const pattern of [...patterns, fillers]) apply(pattern, understood);
  chooseCarrier(understood);
  // Typing mistakes in other words are corrected by what is for sale.
  return { ...understood, text: understood.text === spelled ? words : tidy(understood.text) };
}

/** What is left of typed words, fillers included: "in blue" is a color, "in Austin" is not. */
export function withoutUnderstood(typed: string): string {
  const understood = emptyReading(typed);
  for (const pattern of patterns) apply(pattern, understood);
  return understood.text;
}

const names = Object.entries(nicknames).map(([name, words]) => [pattern(words), name] as const);
const inchesOfNumber = lazyRegExp(`(?<=\\d)${inches}`);

/** The plain names of models, and those of iPads without inches: "ipad pro 11 inch". */
function normalizeNames(typed: string): string {
  const plain = names.reduce((text, [words, name]) => text.replace(words(), name), unquoted(typed));
  return /\bipad/i.test(plain) ? plain.replace(inchesOfNumber(), "") : plain;
}

/** Without quotes around words; `10"` is a size. */
export function unquoted(typed: string): string {
  return typed.replace(/(?<!\S)["“]([^"“”]+)["”](?!\S)/g, "$1");
}

/** Words in which nothing is understood yet. */
function emptyReading(words: string): Understood {
  return {
    text: words.replace(/\p{L}+/gu, correctedFilterWord),
    filters: { ...noFilters },
    lists: [],
    fromCents: null,
    toCents: null,
    sort: null,
    notes: { ...noNotes },
  };
}

function apply([wanted, says]: Pattern, understood: Understood) {
  understood.text = understood.text.replace(wanted(), (matched, ...rest) => {
    const groups = rest.slice(
      0,
      rest.findIndex((part) => typeof part === "number"),
    );
    return says(understood, ...groups) === false ? matched : " ";
  });
}

/** Without what stood around words that are gone. */
export function tidy(text: string): string {
  return text
    .replace(/\(\s*\)|["“”]|[,;](?=\s|$)|(?<=^|\s)[-–—|&/]+(?=\s|$)(?!\s*\d)/g, " ")
    .trim()
    .replace(/\s+/g, " ");
}

/** The search that a list shows: what the typed words say, besides what is chosen already. */
export function understandQuery(
  category: Category,
  query: SearchQuery,
): { category: Category; query: SearchQuery; notes: SearchNotes } {
  if (query.exact || query.words === "") return { category, query, notes: noNotes };
  const { text, filters, sort, lists, notes, ...said } = understand(query.words);
  const isSorted = query.sort !== defaultSort(query.words);
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
    sort: isSorted ? query.sort : (sort ?? defaultSort(text)),
  };
  // The cursor is one of another sort order.
  if (understood.sort !== query.sort) understood.cursor = null;
  const list = category.key === "tablet" ? category : (lists.at(-1)?.category ?? category);
  // Tablets have either operating system.
  const systems = lists.filter((named) => list.key === "tablet" && named.category.key !== "tablet");
  // "Android phone": the list has phones alone, or tablets alone.
  if (list.key !== "products") understood.filters.phones = [];
  const leftOut = [...notes.leftOut, ...systems.map(({ typed }) => typed)];
  return { category: list, query: understood, notes: { ...notes, leftOut } };
}
