import { market } from "#app/market.ts";
import { recordOf } from "../../listings/attributes.ts";
import { sizeUnits } from "../../listings/size.rules.ts";
import { phrasesOf } from "./phrases.rules.ts";
import { correctedFilterWord } from "./spelling.rules.ts";

/** A word, number or sign of what was typed. */
export interface Token {
  text: string;
  /** In lower case, a mistyped word for a filter corrected. */
  word: string;
  isNumber: boolean;
  /** Whether a "+" follows at once: "s21+", "$500+". */
  hasPlus: boolean;
  /** What stands between the token before and this one: a space, "-", "/". */
  gap: string;
  start: number;
  end: number;
}

/** Numbers with separators, words, and signs that say something, like a minus before a word. Everything else is a gap. */
const tokenPattern =
  /(?<=(?:^|\s)-?)-(?=[\p{L}\p{N}\p{Sc}]|\s(?:pro|max|mini|plus|ultra)\b)|(?<=\p{Sc}\s?|\b(?:under|below|over|above|around) )\d{1,2} \d{3}(?:[.,]\d\d?)?(?!\d)|(?<=^|\bto )[1-9] (?!128|256|512)\d{3}(?!\d)|\d{1,2} \d{3}[.,]\d\d?(?!\d)|\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d\d?)?(?![\p{L}\d])|\d+\.\d{1,2}(?!\d)|(?<![\p{L}\d])\.\d{1,2}(?!\d)|\d{3,},\d\d?(?!\d)|(?<=\p{Sc}\s?|\b(?:under|below|over|above|around) )\d+,\d\d?(?!\d)|\d+,\d\d?(?=\s?\p{Sc})|\d+,\d(?=\s?tb)|(?<!\p{L})(?:[ac]|ca|au|nz|mx)\$|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*|[<>]=?|[\p{Sc}%&~±≤≥]|(?<=\d)"/giu;
/** A number and what stands beside it without a space: "256gb", "usd300". */
const numberWithUnit = new RegExp(
  `^(?:(under|below|over|above|max|bh|${market.currency})(\\d+)|(\\d+)(${sizeUnits}|ish|bh|k|mah|mp|megapixels?|hz|in|inch|inches|${market.currency}|(?<=^(?:32|64|128|256|512))g))$`,
  "i",
);
const signs = { "-": "not", "&": "and", "%": "percent", "≤": "<=", "≥": ">=", '"': "inch" };
const wordsOfSigns = new Map(Object.entries(signs));

/** Divides what was typed into tokens: "s21+ 8/128gb" is "s21+", "8", "128" and "gb". */
export function tokenize(typed: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: written, index } of typed.matchAll(tokenPattern)) {
    // "5oo" is 500.
    const found = written.replace(/(?<=^\d+)o+$/i, (letters) => "0".repeat(letters.length));
    let start = index;
    for (const text of numberWithUnit.exec(found)?.slice(1).filter(Boolean) ?? [found]) {
      const hasPlus = typed[start + text.length] === "+";
      const end = start + text.length + (hasPlus ? 1 : 0);
      const word =
        wordsOfSigns.get(text) ??
        text
          .toLowerCase()
          .replace("’", "'")
          .replace(/\p{L}+/gu, correctedFilterWord);
      const gap = typed.slice(tokens.at(-1)?.end ?? 0, start);
      tokens.push({ text, word, isNumber: /^\.?\d[\d.,'’ ]*$/.test(text), hasPlus, gap, start, end });
      start += text.length;
    }
  }
  return tokens;
}

/** The longest phrase that the tokens have at a place: what it stands for, and the place behind it. */
export type PhraseReader<Value> = (
  tokens: readonly Token[],
  at: number,
) => { value: Value; end: number } | null;

type Phrases<Value> = { words: string[]; value: Value }[];

/** Made when it is first used: all tables together take a good part of the time that the Worker needs to start. */
export function phraseReader<Value>(entries: () => (readonly [table: string, value: Value])[]) {
  let byFirst: Map<string, Phrases<Value>> | undefined;
  const read: PhraseReader<Value> = (tokens, at) => {
    byFirst ??= byFirstWord(entries());
    const found = byFirst
      .get(tokens[at]?.word ?? "")
      ?.find(({ words }) => words.every((word, index) => tokens[at + index]?.word === word));
    return found ? { value: found.value, end: at + found.words.length } : null;
  };
  return read;
}

/** The longest first. */
function byFirstWord<Value>(entries: (readonly [table: string, value: Value])[]) {
  const byFirst = new Map<string, Phrases<Value>>();
  const phrases = entries.flatMap(([table, value]) =>
    phrasesOf(table).map((phrase) => ({ words: tokenize(phrase).map(({ word }) => word), value })),
  );
  for (const phrase of phrases.sort((one, other) => other.words.length - one.words.length)) {
    const first = phrase.words[0] ?? "";
    byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
  }
  return byFirst;
}

/** A reader of the tables of phrases for several kinds. */
export const phrasesOfKinds = <Kind extends string>(tables: Record<Kind, string>) =>
  phraseReader<Kind>(() => Object.entries<string>(tables).map(([kind, table]) => [table, kind as Kind]));

/** A reader for each table, of phrases that all stand for the same. */
export const readersOf = <Name extends string>(tables: Record<Name, string>) =>
  recordOf(Object.keys(tables) as Name[], (name) => phraseReader(() => [[tables[name], true]]));
