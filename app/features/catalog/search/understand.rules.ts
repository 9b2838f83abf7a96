import { market } from "#app/market.ts";
import { currencyWords, parsePrice } from "#app/server/forms/parse-price.ts";
import { plainLetters } from "#app/server/forms/sanitize-text.ts";
import { foldedWords } from "../../listings/device-variant.rules.ts";
import { imeiText, isImei } from "../../listings/imei.rules.ts";
import { compareSizes, readSize, sizeUnits } from "../../listings/size.rules.ts";
import { answerPages } from "../answer-pages.ts";
import { type Category, categoryByKey } from "../category.rules.ts";
import { noSearchNotes, type SearchNotes } from "../search-notes.rules.ts";
import * as tables from "../typed-words.ts";
import { type FacetName, facets, filtersOf } from "./facets.rules.ts";
import { carriers, filterWords, lazyPattern, wordsPattern } from "./phrases.rules.ts";
import { defaultSort, type SearchQuery, type SearchSort } from "./search-query.rules.ts";
import { hasWords } from "./search-words.rules.ts";
import {
  type PhraseReader,
  phraseReader,
  phrasesOfKinds,
  readersOf,
  type Token,
  tokenize,
} from "./tokens.rules.ts";

/** What the tokens say, besides words to search for. */
interface Said extends Pick<SearchQuery, "filters" | "fromCents" | "toCents"> {
  sort: SearchSort | null;
  /** The words that name lists, of which the last is shown. */
  lists: Map<Category["key"], string>;
  notes: SearchNotes;
  /** Words that devices must not have, those of one model joined: "promax". */
  excluded: string[];
}

const nothingSaid = (): Said => ({
  filters: filtersOf(() => []),
  lists: new Map(),
  fromCents: null,
  toCents: null,
  sort: null,
  notes: noSearchNotes(),
  excluded: [],
});

/** How typed words are read. */
interface Reading {
  text: string;
  tokens: Token[];
  /** The names in the catalog that doubtful words are, joined: "galaxytaba". */
  names: readonly string[];
  /** Nothing was found: cities, further models and a last number as a price are looked for, too. */
  loosely: boolean;
  /** What stood in front, by the name of its matcher; undefined for words to search for. */
  before: string | undefined;
}

/** Models that one search is for. */
const maxModels = 4;

/** The place behind the tokens that a matcher takes, and what they say. */
type Match = { end: number; says?: (said: Said, text: string) => void } | null;

const phrases = readersOf(tables.phrases);

const leaveOut = ({ notes }: Said, text: string) => notes.leftOut.push(text);

function choose({ filters }: Said, name: FacetName, ...values: string[]) {
  filters[name] = [...new Set([...filters[name], ...values])];
}

const sizeUnit = new RegExp(`^(?:${sizeUnits}|g)$`);
const isSizeUnit = (token?: Token) => token !== undefined && sizeUnit.test(token.word);
/** Of a battery: lower ones are numbers of models, or a discount. */
const isPercentage = (token?: Token) => Number(token?.text) >= 50 && Number(token?.text) <= 100;
const isUnitAt = (tokens: readonly Token[], at: number) =>
  isSizeUnit(tokens[at]) ||
  (phrases.otherUnits(tokens, at) ?? phrases.measures(tokens, at)) !== null ||
  (isPercentage(tokens[at - 1]) && phrases.battery(tokens, at) !== null);
const currency = phrasesOfKinds({
  own: `${currencyWords.join(", ").toLowerCase()}, bucks`,
  foreign: market.otherCurrencies.join(", ").toLowerCase(),
});

/** The place behind a phrase; the same place if it isn't there. */
const after = (phrase: PhraseReader<unknown>, tokens: readonly Token[], at: number) =>
  phrase(tokens, at)?.end ?? at;

/** Numbers that mean gigabytes of storage without a unit. Smaller ones are part of a model's name: "iPhone 13". */
const storageSizes = ["32", "64", "128", "256", "512"];

/** An amount with or without a currency, but not a size, a percentage or anything else with a unit. */
function amountAt(tokens: readonly Token[], at: number, leastCents = 2000) {
  const start = after(currency, tokens, at);
  const number = tokens[start];
  if (!number?.isNumber) return null;
  const isThousands = tokens[start + 1]?.word === "k";
  const end = start + (isThousands ? 2 : 1);
  // What is behind a group sign has three digits in every market.
  const units = number.text.replace(/[.,'’](?=\d{3}(?!\d))/g, "");
  const cents = (parsePrice(units) ?? 0) * (isThousands ? 1000 : 1);
  const trailing = after(currency, tokens, end);
  const next = tokens[trailing];
  const isLoose = cents < leastCents || (tokens[end]?.gap !== "" && next?.gap === "");
  // The sign behind the first number of "$200-$300" and "iphone 12 $300" is that of the second.
  const behind = next?.isNumber && (start > at || isLoose) ? end : trailing;
  const hasCurrency = start > at || behind > end;
  if (!hasCurrency && (isUnitAt(tokens, end) || cents < leastCents)) return null;
  // "299.99" is written as a price.
  const isSure = hasCurrency || isThousands || /[.,]\d\d/.test(number.text);
  const isSize = !isSure && storageSizes.includes(number.text);
  const hasPlus = tokens.slice(at, end).some((token) => token.hasPlus);
  return { cents, isSure, isSize, hasPlus, end: behind };
}

const comparison = phrasesOfKinds(tables.comparisonWords);
const most = phrasesOfKinds({ upTo: tables.priceLimitWords.most });
const bound = phrasesOfKinds({ upTo: tables.priceLimitWords.orLess, from: tables.priceLimitWords.orMore });

/** Whether a limit begins: "max $300", "and under 128gb". */
function isLimit(tokens: readonly Token[], at: number): boolean {
  const start = after(phrases.joiners, tokens, at);
  const than = comparison(tokens, start) ?? most(tokens, start);
  return than !== null && tokens[after(currency, tokens, than.end)]?.isNumber === true;
}

/** "Or less" behind a number. The "max" of "min $200 max $300" and "128gb max $300" is that of the next. */
function boundAt(tokens: readonly Token[], at: number, than: { end: number } | null) {
  const isOfNext = isLimit(tokens, at) && (than ?? phrases.joiners(tokens, at) ?? amountAt(tokens, at + 1));
  return isOfNext ? null : bound(tokens, at);
}

/** The place of the upper end of a range, "200 - 300" or "64 to 128gb", from the place behind the lower one. */
function upperEnd(tokens: readonly Token[], at: number): number | null {
  const next = tokens[at]?.text === "-" ? at + 1 : after(phrases.through, tokens, at);
  return next > at || /^ ?(?:-|\.{2,3}) ?$/.test(tokens[at]?.gap ?? "") ? next : null;
}

function price({ tokens }: Reading, at: number): Match {
  const isForeign = (end: number) =>
    tokens.slice(at, end).some((_, index) => currency(tokens, at + index)?.value === "foreign");
  const range = (end: number, cents: { fromCents?: number; toCents?: number }): Match => ({
    end,
    says: (said, text) => (isForeign(end) ? said.notes.foreignPrices.push(text) : Object.assign(said, cents)),
  });
  // "13 pro max 600" is a model with a price.
  const isName = ["pro", "xs"].includes(tokens[at - 1]?.word ?? "");
  const than = comparison(tokens, at) ?? (isName ? null : most(tokens, at));
  const amount = amountAt(tokens, than?.end ?? at);
  if (!amount) return currency(tokens, at)?.value === "foreign" ? range(at + 1, {}) : null;
  const { cents, isSize, isSure, end } = amount;
  const high = amountAt(tokens, upperEnd(tokens, end) ?? -1);
  // "128-256" are sizes, "500-64" has one.
  if (high && !(high.isSize && (isSize || cents > high.cents))) {
    const [fromCents, toCents] = [cents, high.cents].sort((one, other) => one - other);
    return range(high.end, { fromCents, toCents });
  }
  const spread = tokens[end]?.text === "±" ? amountAt(tokens, end + 1, 0) : null;
  if (spread) {
    const fromCents = cents > spread.cents ? cents - spread.cents : undefined;
    return range(spread.end, { fromCents, toCents: cents + spread.cents });
  }
  const limit = boundAt(tokens, end, than);
  const about = after(phrases.orSo, tokens, end);
  // "S 22+" is a model.
  const isPlus = amount.hasPlus && (isSure || cents >= 10_000);
  const kind =
    than?.value ?? limit?.value ?? (about > end ? "around" : isPlus ? "from" : isSure ? "upTo" : undefined);
  if (isSize || !kind) return null;
  const last = limit?.end ?? about;
  // In whole tens of the currency.
  const near = (factor: number) => Math.round((cents * factor) / 1000) * 1000;
  if (kind === "around") return range(last, { fromCents: near(0.85), toCents: near(1.15) });
  return range(last, kind === "over" || kind === "from" ? { fromCents: cents } : { toCents: cents });
}

const sorting = phrasesOfKinds({ ...tables.sortWords, cheap: tables.cheapWords });

function sortOrder({ tokens, loosely }: Reading, at: number): Match {
  const found = sorting(tokens, at);
  if (!found) return null;
  const isOfModels = found.value === "newest" && found.end === at + 1 && found.end < tokens.length;
  const says = (said: Said, text: string) => {
    said.sort = found.value === "cheap" ? "price-up" : found.value;
    if (isOfModels) said.notes.newest.push(text);
    // The lowest prices, if nothing is as cheap as that.
    if (found.value === "cheap" && !loosely) said.toCents ??= market.cheapCents;
  };
  return { end: found.end, says };
}

/** The values of a filter to choose from. */
const valuesOf = (of: FacetName): readonly string[] =>
  of === "ram" || of === "rom" ? sizes[of] : (facets.find(({ name }) => name === of)?.values ?? []);

/** The filter is for a lower limit in steps. Upper limits are left out; of what is between two steps, the page says so. */
function battery({ tokens }: Reading, at: number): Match {
  const named = after(phrases.battery, tokens, at);
  const than = comparison(tokens, named);
  const first = than?.end ?? after(most, tokens, named);
  const behind = (number: number) => number + (tokens[number + 1]?.word === "percent" ? 2 : 1);
  const value = tokens[first]?.isNumber ? Number(tokens[first]?.text) : Number.NaN;
  if (!(than ? value <= 100 : isPercentage(tokens[first])))
    // "Battery 5000".
    return named > at
      ? { end: value >= 1000 ? after(phrases.measures, tokens, first + 1) : named, says: leaveOut }
      : null;
  // "Over 85 and under 95".
  const upper = after(comparison, tokens, upperEnd(tokens, behind(first)) ?? first);
  const isRange = Number(tokens[upper]?.text) > value && isPercentage(tokens[upper]);
  const last = behind(isRange ? upper : first);
  const isSigned = tokens[last - 1]?.word === "percent";
  const limit = boundAt(tokens, last, than);
  const trailing = after(phrases.battery, tokens, limit?.end ?? last);
  const next = boundAt(tokens, trailing, than);
  // "90 or more" alone is no battery, "90%" is.
  if (named === at && !isSigned && trailing === (limit?.end ?? last)) return null;
  const limits = [than, limit, next].map((one) => one?.value);
  const isUpper = limits.includes("under") || limits.includes("upTo") || tokens[named]?.word === "max";
  const says = (said: Said, text: string) => {
    if (isUpper) return leaveOut(said, text);
    const levels = valuesOf("battery");
    const level = levels.findLast((known) => Number(known) <= value) ?? levels[0] ?? "";
    said.filters.battery = [level];
    if (isRange || Number(level) !== value) said.notes.rounded.push(text);
  };
  return { end: next?.end ?? trailing, says };
}

/** The sizes to choose from. Larger ones than of RAM are storage, unless the words say otherwise. */
const sizes = {
  ram: [1, 2, 3, 4, 6, 8, 10, 12, 16, 18, 24].map((gigabytes) => `${gigabytes} GB`),
  rom: [...["8", "16", ...storageSizes].map((gigabytes) => `${gigabytes} GB`), "1 TB", "2 TB"],
};
// A memory of 8 GB is RAM, one of 128 GB storage.
const columns = phrasesOfKinds({ ram: "(of |)ram", rom: "(of |)(storage|rom)", either: "(of |)memory" });

/** A number that may be a size, with or without a unit. */
function sizeAt(tokens: readonly Token[], at: number | null) {
  const [number, next] = at === null ? [] : tokens.slice(at, at + 2);
  const unit = isSizeUnit(next) ? next : undefined;
  if (!number || !/^\d{1,4}(?:[.,]\d)?$/.test(number.text)) return null;
  const isStorage = storageSizes.includes(number.text);
  return { number, unit, isStorage, end: tokens.indexOf(unit ?? number) + 1 };
}

const sizeOf = ({ text }: Token, unit?: Token) =>
  readSize(`${text} ${unit?.word ?? "gb"}`, "rom") ?? `${text} GB`;

/** RAM and storage: "8/128", "8+128gb". */
function pair({ tokens }: Reading, at: number): Match {
  const ram = sizeAt(tokens, at);
  const rom = ram && sizeAt(tokens, ram.end);
  // "iphone 12/13" are two models.
  if (!rom || !(rom.unit || Number(rom.number.text) >= 16)) return null;
  const gap = tokens[ram.end]?.gap;
  // "iphone 13 4 128", but "ipad air 4 64".
  const isListed = gap === " " && (tokens.length === 2 || tokens.slice(0, at).some(isNumbered));
  const isPair = gap?.includes("/") || tokens[ram.end - 1]?.hasPlus || (isListed && rom.isStorage);
  if (!isPair || !sizes.ram.includes(sizeOf(ram.number))) return null;
  const says = (said: Said) => {
    choose(said, "ram", sizeOf(ram.number));
    choose(said, "rom", sizeOf(rom.number, rom.unit));
  };
  return { end: rom.end, says };
}

/** "128gb", "8 GB RAM", "over 64gb", "64-256gb", "between 6 and 12 GB RAM". */
function size({ tokens, before }: Reading, at: number): Match {
  // "Min 64gb max 256gb", but "mi max 64gb".
  const isMax = before !== undefined && tokens[at]?.word === "max";
  const named = columns(tokens, at);
  const than = isMax ? most(tokens, at) : comparison(tokens, named?.end ?? at);
  const leading = named ?? columns(tokens, than?.end ?? at);
  const first = sizeAt(tokens, Math.max(at, than?.end ?? 0, leading?.end ?? 0));
  if (!first) return null;
  const { number, unit, isStorage, end } = first;
  // "64 and 128gb" are two, "64gb -128gb" is one.
  const isRange = tokens[end]?.text !== "-" && (than || tokens[end]?.word !== "and");
  const upper = isRange ? sizeAt(tokens, upperEnd(tokens, end)) : null;
  const high = upper?.unit || (isStorage && upper?.isStorage) ? upper : null;
  const last = (high ?? first).end;
  const trailing = leading ? null : columns(tokens, last);
  if (!leading && !unit && !isStorage && !high && trailing?.value !== "ram") return null;
  const limit = boundAt(tokens, trailing?.end ?? last, than);
  const kind = limit?.value ?? (tokens[end - 1]?.hasPlus ? "from" : than?.value) ?? "around";
  const low = sizeOf(number, unit ?? (isStorage ? undefined : high?.unit));
  const ends = [low, high ? sizeOf(high.number, high.unit) : low];
  const [label = low, greatest = low] = ends.sort(compareSizes);
  const column = (leading ?? trailing)?.value;
  const name = column === "ram" || (column !== "rom" && compareSizes(greatest, "24 GB") <= 0) ? "ram" : "rom";
  const signs = { under: [-1], upTo: [-1, 0], over: [1], from: [0, 1], around: [0] }[kind];
  const isBetween = (one: string) => compareSizes(one, label) >= 0 && compareSizes(one, greatest) <= 0;
  const fits = high ? isBetween : (one: string) => signs.includes(Math.sign(compareSizes(one, label)));
  const fit = sizes[name].filter(fits);
  const says = ({ filters }: Said) => {
    // "Over 64gb and under 512gb".
    const both = filters[name].filter(fits);
    filters[name] = both.length > 0 ? both : [...filters[name], ...(fit.length > 0 ? fit : [label])];
  };
  return { end: limit?.end ?? trailing?.end ?? last, says };
}

const carrier = phraseReader(() => carriers.map(({ name, table }) => [table, name]));

function carrierOf({ tokens }: Reading, at: number): Match {
  const start = after(phrases.carrierLock, tokens, at);
  const found = carrier(tokens, start);
  if (!found) return start > at ? { end: start, says: leaveOut } : null;
  const end = after(phrases.carrierLock, tokens, found.end);
  const isLocked = start > at || end > found.end;
  const says = ({ notes }: Said) => {
    notes.carriers.push(found.value);
    if (isLocked) notes.locked.push(found.value);
  };
  return { end, says };
}

const values = phraseReader(() => filterWords.map(({ table, ...word }) => [table, word]));

/** Before a short number words belong to a name: "Nothing Phone (1)". */
function isBeforeNumber(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at];
  const isNumber = next && /^\d{1,2}a?$/.test(next.word) && /^\s?\(?$/.test(next.gap);
  return isNumber === true && !isUnitAt(tokens, at + 1) && !currency(tokens, at + 1) && !gradeEnd(tokens, at);
}

function value({ tokens }: Reading, at: number): Match {
  const than = comparison(tokens, at);
  const isOver = than?.value === "over";
  const start = than && (isOver || than.value === "from") ? than.end : at;
  const legend = after(phrases.legends, tokens, after(phrases.places, tokens, start));
  // "Midnight green" is green, "midnight" black.
  const shaded = values(tokens, after(phrases.shades, tokens, legend));
  const found = shaded?.value.name === "color" ? shaded : (values(tokens, legend) ?? values(tokens, start));
  if (!found) return null;
  const { name, value } = found.value;
  if (name === "phones" && isBeforeNumber(tokens, found.end)) return null;
  const end = after(phrases.legends, tokens, found.end);
  if (name === "near") return { end, says: ({ filters }) => (filters.near = [value]) };
  if (name !== "condition") return start > at ? null : { end, says: (said) => choose(said, name, value) };
  const more = bound(tokens, end)?.value === "from" ? after(bound, tokens, end) : end;
  const isOrBetter = start > at || more > end || tokens[end - 1]?.hasPlus;
  const better = valuesOf(name).slice(0, valuesOf(name).indexOf(value) + (isOver ? 0 : 1));
  return { end: more, says: (said) => choose(said, name, ...(isOrBetter ? better : [value])) };
}

const lists = phrasesOfKinds(tables.categoryWords);

function list({ tokens }: Reading, at: number): Match {
  const found = lists(tokens, at);
  if (!found) return null;
  // "Android 14".
  const isVersion = found.value !== "tablet" && isBeforeNumber(tokens, found.end);
  const says = (said: Said, text: string) => {
    said.lists.set(found.value, tokens[at]?.text ?? "");
    if (isVersion) leaveOut(said, text);
  };
  return { end: isVersion ? found.end + 1 : after(phrases.devices, tokens, found.end), says };
}

const facts = phrasesOfKinds(tables.otherFacts);
const isIpad = (tokens: Token[]) => tokens.some(({ word }) => word.startsWith("ipad"));
const isInch = (token?: Token) =>
  token !== undefined && (/^inch/.test(token.word) || (token.word === "in" && /^-?$/.test(token.gap)));

/** What no list filters by, screens and years among it. */
function fact({ tokens, loosely }: Reading, at: number): Match {
  const token = tokens[at];
  const found = isLimit(tokens, at) ? null : facts(tokens, at);
  if (found) return { end: found.end, says: ({ notes }, text) => notes[found.value].push(text) };
  // "SM-S911U", "A2482".
  if (loosely && token?.word === "sm" && tokens[at + 1]?.gap === "-") return { end: at + 2, says: leaveOut };
  if (loosely && /^a[123]\d{3}$/.test(token?.word ?? "")) return { end: at + 1, says: leaveOut };
  const compared = comparison(tokens, at)?.end ?? at;
  const [number, unit, next] = tokens.slice(compared, compared + 3);
  if (!number?.isNumber) return null;
  const isScreen = isInch(unit) && (loosely || !isIpad(tokens));
  // "20% off".
  const isDiscount = unit?.word === "percent" && (!isPercentage(number) || next?.word === "off");
  const end = isScreen || isDiscount ? compared + 2 : after(phrases.measures, tokens, compared + 1);
  const isIpadScreen = loosely && isIpad(tokens) && /^\d+\.\d$/.test(number.text);
  if (end === compared + 1 && !isIpadScreen) return null;
  return { end: after(phrases.measured, tokens, end), says: leaveOut };
}

const isYear = (token?: Token) => /^20[12]\d$/.test(token?.text ?? "");

/** When a model came out: "2021", "2022 or newer", "from 2020 to 2022". */
function year({ tokens }: Reading, at: number): Match {
  const first = after(phrases.ofYears, tokens, comparison(tokens, at)?.end ?? at);
  if (!isYear(tokens[first]) || isUnitAt(tokens, first + 1) || currency(tokens, first + 1)) return null;
  const upper = upperEnd(tokens, first + 1);
  const last = upper && isYear(tokens[upper]) ? upper : first;
  const says = ({ notes }: Said, text: string) => notes.years.push(text);
  return { end: after(phrases.orNewer, tokens, last + 1), says };
}

/** The place behind "9/10" or "8 out of 10". */
function gradeEnd(tokens: readonly Token[], at: number): number | null {
  const ten = tokens[at + 1]?.gap.includes("/") ? at + 1 : after(phrases.outOf, tokens, at + 1);
  const isGrade = /^(?:10|\d)(?:[.,]\d)?$/.test(tokens[at]?.text ?? "") && tokens[ten]?.text === "10";
  return isGrade && !isUnitAt(tokens, ten + 1) ? ten + 1 : null;
}

/** A condition that no list filters by. Pixel 9 and 10 are models, if there is one. */
function grade({ tokens, loosely }: Reading, at: number): Match {
  const ten = gradeEnd(tokens, at);
  const end = ten && after(phrases.legends, tokens, ten);
  if (!end || (phrases.numberedNames(tokens, at - 1) && end === ten && !loosely)) return null;
  const says = ({ notes }: Said, text: string) => notes.otherConditions.push(text);
  return { end, says };
}

const imeiAt = new RegExp(`${imeiText}(?!\\d)`, "y");

function imei({ tokens, text }: Reading, at: number): Match {
  const first = tokens[after(phrases.imeiLabel, tokens, at)];
  imeiAt.lastIndex = first?.start ?? text.length;
  const [digits = ""] = imeiAt.exec(text) ?? [];
  if (!first || !isImei(digits)) return null;
  const end = tokens.findLastIndex(({ start }) => start < first.start + digits.length) + 1;
  return { end, says: ({ notes }) => notes.leftOut.push(digits) };
}

const joined = (tokens: Token[]) => foldedWords(textOf(tokens)).join("");

/** In words, and in characters: D1 takes patterns of at most 50 bytes. */
const [longestName, maxNameLength] = [6, 30];

/** Words that are the name of a model in the catalog. */
function name({ tokens, names }: Reading, at: number): Match {
  for (let count = names.length > 0 ? longestName : 0; count > 1; count -= 1) {
    const end = at + count;
    if (names.includes(joined(tokens.slice(at, end))) && !isUnitAt(tokens, end)) return { end };
  }
  return null;
}

/** The number behind a name of which each model has one, whether it is for sale or not. */
function number(reading: Reading, at: number): Match {
  const { tokens, before } = reading;
  const [token, next] = tokens.slice(at, at + 2);
  if (!token?.isNumber || before !== undefined) return null;
  // "iphone 13%".
  const isMistyped = next?.word === "percent" && !isPercentage(token);
  const hasUnit = isUnitAt(tokens, at + 1) || currency(tokens, at + 1) || columns(tokens, at + 1);
  const isShort = /^\d{1,2}$/.test(token.text) && !storageSizes.includes(token.text);
  // "iphone 85-95%".
  if (isPercentage(token) && battery(reading, at)) return null;
  const isOfModel = isShort && (!hasUnit || isMistyped) && phrases.numberedNames(tokens, at - 1);
  return isOfModel ? { end: at + 1 } : null;
}

const page = phraseReader(() => answerPages.map((answer) => [answer.typed, answer]));

/** What a page answers, if nothing else is asked for but a device. */
function answer({ tokens, before }: Reading, at: number): Match {
  const found = page(tokens, at);
  if (!found) return null;
  const saysNothing = (token: Token) => phrases.fillers([token], 0) ?? phrases.devices([token], 0);
  const isLast = tokens.slice(found.end).every(saysNothing);
  if (!found.value.isOfDevices && !(isLast && tokens.slice(0, at).every(saysNothing))) return null;
  // A device stands in front, but "cheap price" is a sort order, and "300 > price" a limit.
  const isBehindDevice = at > 0 && before !== "filler" && before !== "sortOrder";
  if (found.value.isAtEnd && !(isLast && isBehindDevice)) return null;
  const says = ({ notes }: Said) => notes.pages.push(found.value);
  return { end: isLast ? tokens.length : found.end, says };
}

/** "-pro", "not pro max": what devices must not be. Of what filters stand for, the others are chosen. */
function exclusion(reading: Reading, at: number): Match {
  const { tokens, text } = reading;
  const first = after(phrases.exclusions, tokens, at);
  if (first === at || isLimit(tokens, at)) return null;
  const isSign = tokens[at]?.text === "-";
  const filterAt = (start: number) => firstMatch(reading, start, filterMatchers);
  const start = filterAt(first) ? first : after(phrases.articles, tokens, first);
  const filter = firstMatch(reading, start, { ...filterMatchers, filler });
  if (filter) {
    const without = nothingSaid();
    let end = start;
    // "Not red or blue", but "not red and 128gb".
    let next: typeof filter | null = filter;
    while (next?.by === filter.by) {
      end = next.end;
      next.says?.(without, "");
      const more = tokens[end]?.word !== "but" && phrases.joiners(tokens, end);
      next = more ? filterAt(more.end) : null;
    }
    const typed = text.slice(tokens[start]?.start, tokens[end - 1]?.end);
    return { end, says: (said) => leaveOutValues(said, without, typed) };
  }
  const words: string[] = [];
  let end = start;
  // "Not pro max or mini", "not samsung or google" are two; "-pro or mini" is one.
  const goesOn = (next: number) =>
    phrases.suffixes(tokens, next) ||
    (!isSign && next > end && tokens[next] && [undefined, "number"].includes(firstMatch(reading, next)?.by));
  for (let next = start; next === start || goesOn(next); next = after(phrases.joiners, tokens, end)) {
    end = next + 1;
    const isJoined = () => tokens[end]?.gap === " " && phrases.suffixes(tokens, end);
    while (/^-?$/.test(tokens[end]?.gap ?? " ") || isJoined()) end += 1;
    words.push(joined(tokens.slice(next, end)));
  }
  return words[0] ? { end, says: ({ excluded }) => excluded.push(...words) } : null;
}

/** Chooses the other values of a filter that takes several; nothing else can be left out, nor all that is wanted. */
function leaveOutValues({ filters, notes }: Said, { filters: unwanted }: Said, typed: string) {
  let isLeftOut = false;
  for (const name of ["color", "condition", "ram", "rom"] as const) {
    if (unwanted[name].length === 0) continue;
    const wanted = filters[name].length > 0 ? filters[name] : valuesOf(name);
    const others = wanted.filter((value) => !unwanted[name].includes(value));
    if (others.length === 0) continue;
    filters[name] = others;
    isLeftOut = true;
  }
  notes[isLeftOut ? "others" : "kept"].push(typed);
}

/** A place that no list filters by. */
function place(reading: Reading, at: number): Match {
  const { tokens, loosely } = reading;
  if (!loosely || !phrases.places(tokens, at)) return null;
  let end = at + 1;
  while (
    end < at + 4 &&
    /^\p{L}/u.test(tokens[end]?.word ?? "") &&
    !phrases.numberedNames(tokens, end) &&
    !firstMatch({ ...reading, before: "place" }, end)
  )
    end += 1;
  return end === at + 1 ? null : { end, says: leaveOut };
}

/** A last number that is in no model is a price: "iphone 300". */
function lastNumber({ tokens, loosely }: Reading, at: number): Match {
  const isPrice = loosely && /^[1-9][05]0$/.test(tokens[at]?.text ?? "") && !phrases.suffixes(tokens, at + 1);
  return isPrice ? { end: at + 1, says: (said) => (said.toCents ??= Number(tokens[at]?.text) * 100) } : null;
}

function filler({ tokens, before }: Reading, at: number): Match {
  const [token, next] = tokens.slice(at, at + 2);
  const found = phrases.fillers(tokens, at);
  if (!found || (phrases.numberedNames(tokens, at) && isBeforeNumber(tokens, found.end))) return null;
  // "Galaxy Tab A" and "Pro-I", but "want a pixel".
  const isEnd = /^[ai]$/.test(token?.word ?? "") && at > 0 && !/^\p{L}/u.test(next?.word ?? "");
  const isLetter = before === undefined && (isEnd || (token?.word.length === 1 && token.gap === "-"));
  return isLetter ? null : { end: found.end };
}

/** What reads words that filters stand for, or could. */
const filterMatchers = {
  year,
  fact,
  battery,
  price,
  sortOrder,
  pair,
  size,
  carrier: carrierOf,
  value,
  list,
};

/** What reads typed words. At each place, the first that takes a word has it; words that none takes are searched for. */
const matchers = {
  imei,
  name,
  grade,
  number,
  answer,
  ...filterMatchers,
  exclusion,
  joiner: ({ tokens }: Reading, at: number): Match => phrases.joiners(tokens, at),
  place,
  lastNumber,
  filler,
};

function firstMatch(
  reading: Reading,
  at: number,
  among: Record<string, (reading: Reading, at: number) => Match> = matchers,
): ({ by: string } & NonNullable<Match>) | null {
  for (const [by, read] of Object.entries(among)) {
    const match = read(reading, at);
    if (match) return { by, ...match };
  }
  return null;
}

/** Tokens that were read together, and the matcher that took them; none for words to search for. */
interface Part {
  by: string | undefined;
  tokens: Token[];
}

/** Reads what was typed: "blue iphone 13 under $300" is "iphone 13" in blue, up to $300. */
function understand(typed: string, names: readonly string[] = [], loosely = false) {
  const text = normalizeNames(plainLetters(typed));
  const tokens = tokenize(text);
  const said = nothingSaid();
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = firstMatch({ text, tokens, names, loosely, before: parts.at(-1)?.by }, at);
    const taken = tokens.slice(at, found?.end ?? at + 1);
    found?.says?.(said, text.slice(taken[0]?.start, taken.at(-1)?.end));
    parts.push({ by: found?.by === "name" || found?.by === "number" ? undefined : found?.by, tokens: taken });
    at += taken.length;
  }
  chooseCarrier(said);
  const models = modelsOf(parts, loosely).map(textOf);
  said.notes.otherModels = models.slice(maxModels);
  const words = [models.slice(0, maxModels).join(" or "), ...said.excluded.map((word) => `-${word}`)];
  const isAllSearchedFor = parts.every(({ by }) => by === undefined) && models.length < 2;
  return {
    ...said,
    text: isAllSearchedFor ? text : words.filter(Boolean).join(" "),
    doubts: doubtsOf(parts),
  };
}

/** Filters by the typed carriers. One carrier alone also finds devices locked to it. */
function chooseCarrier({ filters, notes }: Said) {
  notes.carriers = carriers.map(({ name }) => name).filter((name) => notes.carriers.includes(name));
  const [carrier, ...others] = notes.carriers;
  if (carrier === undefined) return;
  const isAlone =
    filters.unlocked.length === 0 && others.length === 0 && market.carriers.some((name) => name === carrier);
  filters.unlocked = [isAlone ? carrier : "yes"];
  notes[isAlone ? "carriers" : "locked"] = [];
}

/** The words to search for, divided where further models begin: "iphone 12 or 13" is "iphone 12" and "iphone 13". */
function modelsOf(parts: Part[], loosely: boolean): Token[][] {
  const models: Token[][] = [];
  const words = parts.flatMap((part) => part.tokens.map((token) => ({ token, part })));
  let isNew = true;
  for (const [at, { token, part }] of words.entries()) {
    if (part.by === "joiner") isNew = true;
    if (part.by !== undefined) continue;
    const model = models.at(-1) ?? [];
    const number = model.findLast(isNumbered);
    const next = words[at + 1]?.part.by === undefined ? words[at + 1]?.token.word : undefined;
    // "iphone 13, pixel 8".
    const isFamily = /^\p{L}+$/u.test(token.word) && !isTelling(token) && /^[a-z]?\d/.test(next ?? "");
    const isListed = /[,/&|]/.test(token.gap) && model.some(isTelling) && (isFamily || isTelling(token));
    const isRepeated = token.word === model[0]?.word || shapeOf(token) === (number && shapeOf(number));
    const isLikely = number ? isFamily || isRepeated : /[,/|]/.test(token.gap);
    if (isNew || isListed || (loosely && isLikely)) models.push(likeFirst(models[0] ?? [], token));
    else model.push(token);
    isNew = false;
  }
  // "12 or 13 iphone pro".
  const [number, name, ...rest] = models.at(-1) ?? [];
  const isBehind = number && name && isTelling(number) && phrases.numberedNames([name], 0);
  if (!isBehind || !models.slice(0, -1).every((model) => model.every(isTelling))) return models;
  return models.map(([first = number]) => [name, { ...first, gap: " " }, ...rest]);
}

/** The letters before the number of a model: "s" of "s21", "" of "13" and "6a"; null if it is none. */
const shapeOf = ({ word }: Token) => /^([a-z]*)\d{1,3}[a-z]?$/.exec(word)?.[1] ?? null;
const isNumbered = (token: Token) => shapeOf(token) !== null;

/** Whether a word tells one model of a family from another: "13", "s21", "xr". */
const isTelling = (token: Token) =>
  isNumbered(token) || (phrases.letters([token], 0) ?? phrases.suffixes([token], 0)) !== null;

/** The beginning of a further model, with what only the first one says: "iphone 12 or 13", "galaxy s21 or 22". */
function likeFirst(first: Token[], token: Token): Token[] {
  const telling = first.findIndex(isTelling);
  const at = telling < 0 ? first.length - 1 : telling;
  const shape = first[at] ? shapeOf(first[at]) : null;
  if (shape !== null && phrases.suffixes([token], 0)) return [...first.slice(0, at + 1), token];
  const isAlike = /^\d/.test(token.word) || phrases.letters([token], 0) || phrases.suffixes([token], 0);
  if (!isAlike && (shape === null || shapeOf(token) !== shape)) return [token];
  const text = /^\d+$/.test(token.text) ? (shape ?? "") + token.text : token.text;
  return [...first.slice(0, at), { ...token, text, gap: at > 0 ? " " : token.gap }];
}

function textOf(tokens: Token[]): string {
  const text = tokens.map(
    (token, index) =>
      (index > 0 && /^[-.]?$/.test(token.gap) ? token.gap : " ") + token.text + (token.hasPlus ? "+" : ""),
  );
  return text.join("").trim();
}

/** A color, carrier or city is part of a name only at its beginning, and a size if it has no unit. */
const doubtful = /^(?=.*text)(?=.*(leading|doubt))(leading )*((text|doubt) ?)+$/;

/** The runs of words that may be a name, though matchers took some of them: "Black Shark", "xiaomi 6/64". */
function doubtsOf(parts: Part[]): string[][] {
  const words = parts.flatMap((part, index) =>
    part.tokens.map((token, at) => ({ token, kind: kindOf(part, parts.slice(0, index), at) })),
  );
  const runs = words.flatMap((_, at) =>
    words.slice(at + 1, at + longestName).map((_, more) => words.slice(at, at + more + 2)),
  );
  return runs
    .filter((run) => doubtful.test(run.map(({ kind }) => kind).join(" ")))
    .map((run) => foldedWords(textOf(run.map(({ token }) => token))))
    .filter((name) => name.join("").length <= maxNameLength);
}

/** What a word may be in a name: its text, a doubt anywhere or leading it, or nothing. */
function kindOf({ by, tokens }: Part, before: Part[], at: number) {
  if (by === undefined) return "text";
  const isDevice = phrases.devices(tokens, 0) !== null;
  if (by === "carrier" || (by === "value" && !isDevice)) return "leading";
  const isBehindLetter = /^\p{L}$/u.test(before.at(-1)?.tokens.at(-1)?.word ?? "");
  // "Redmi 12 pro 8/256" has its number, though there may be a "pro 8".
  const isBehindModel = before.some((part) => part.by === undefined && part.tokens.some(isNumbered));
  const isNumber = by === "pair" || (by === "size" && tokens[0]?.isNumber && isBehindLetter);
  const isDoubt = isDevice || (isNumber && at === 0 && !isBehindModel) || tokens[0]?.word === "find";
  return by === "fact" || by === "year" || isDoubt ? "doubt" : "none";
}

const rewrites = [
  // They may stand beside others without a space: "小米13".
  ...Object.entries(tables.otherScripts).map(
    ([name, words]) => [lazyPattern(`(?<!\\p{sc=Cyrl})(?:${words})(?!\\p{sc=Cyrl})`), ` ${name} `] as const,
  ),
  ...Object.entries(tables.rewrites).map(([plainly, words]) => [wordsPattern(words), plainly] as const),
];
const modelRange = wordsPattern(tables.modelRange);

/** The plain names of models, with plain hyphens, without quotes around words; `10"` is a size. */
function normalizeNames(text: string): string {
  const plainSigns = text.replace(/\p{Pd}|−/gu, "-").replace(/[“”″]/g, '"');
  const unquoted = plainSigns.replace(/(?<![^\s-])"([^"]+)"(?!\S)/g, "$1");
  const rewritten = rewrites.reduce((text, [words, plainly]) => text.replace(words(), plainly), unquoted);
  const plain = rewritten.replace(/\s+/g, " ").trim();
  return plain.replace(modelRange(), (all, name: string, first: string, last: string) => {
    const count = Number(last) - Number(first) + 1;
    if (count < 2 || count > maxModels) return all;
    return name + Array.from({ length: count }, (_, index) => Number(first) + index).join(", ");
  });
}

export interface UnderstoodQuery {
  category: Category;
  query: SearchQuery;
  notes: SearchNotes;
  doubts: string[][];
}

/** The search that a list shows: what the typed words say, besides what is chosen already. */
export function understandQuery(
  category: Category,
  asked: SearchQuery,
  names?: readonly string[],
  loosely?: boolean,
): UnderstoodQuery {
  if (asked.read !== "" && asked.read !== asked.words)
    return understandQuery(category, withoutSaid(asked, understand(asked.read, names)), names, loosely);
  if (asked.words === "") return { category, query: asked, notes: noSearchNotes(), doubts: [] };
  const { text, filters, sort, lists, notes, doubts, ...said } = understand(asked.words, names, loosely);
  const isSorted = asked.sort !== defaultSort(asked.words);
  if (asked.read !== "") {
    const query = { ...asked, words: text, read: "", sort: isSorted ? asked.sort : defaultSort(text) };
    return { category, query, notes, doubts };
  }
  const query: SearchQuery = {
    ...asked,
    words: text,
    exact: asked.exact && hasWords(text),
    // What is typed is newer than what was chosen before.
    filters: filtersOf(({ name }) => (filters[name][0] ? filters[name].toSorted() : asked.filters[name])),
    fromCents: said.fromCents ?? asked.fromCents,
    toCents: said.toCents ?? asked.toCents,
    sort: isSorted ? asked.sort : (sort ?? defaultSort(text)),
  };
  // The cursor is one of another sort order.
  if (query.sort !== asked.sort) query.cursor = null;
  // "Phone or tablet".
  const isEither = lists.has("tablet") && filters.phones.length > 0;
  const named = [category.key, ...lists.keys()].filter((key) => !(isEither && key === "tablet"));
  const key =
    category.key === "tablet" || named.includes("tablet") ? "tablet" : (named.at(-1) ?? category.key);
  // "Android phone": the list has phones alone, or tablets alone.
  if (key !== "products" || isEither) query.filters.phones = [];
  // Tablets have either operating system.
  const systems = [...lists].filter(([other]) => key === "tablet" && other !== "tablet");
  const leftOut = [...notes.leftOut, ...systems.map(([, text]) => text)];
  return { category: categoryByKey(key), query, notes: { ...notes, leftOut }, doubts };
}

const goods = wordsPattern(tables.otherGoods);

/** Whether words name what isn't sold here. */
export const namesOtherGoods = (words: string) => words.match(goods()) !== null;

/** What is searched for among variants while words may be the beginning of a name: sizes alone are no words of theirs. */
export function withTypedSizes(asked: SearchQuery): SearchQuery {
  const { query } = understandQuery(categoryByKey("products"), asked);
  return query.filters.rom.length + query.filters.ram.length > 0 ? query : asked;
}

/** Without the filters that words said which are not typed any more. */
function withoutSaid(asked: SearchQuery, said: Said): SearchQuery {
  const { filters, fromCents, toCents } = asked;
  return {
    ...asked,
    read: "",
    filters: filtersOf(({ name }) => filters[name].filter((value) => !said.filters[name].includes(value))),
    fromCents: fromCents === said.fromCents ? null : fromCents,
    toCents: toCents === said.toCents ? null : toCents,
    sort: asked.sort === said.sort ? defaultSort(asked.words) : asked.sort,
  };
}
