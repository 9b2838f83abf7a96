import { foldedWords, maxWordLength } from "../../listings/device-variant.rules.ts";

const maxWords = 12;

export function hasWords(words: string): boolean {
  return foldedWords(words).length > 0;
}

/** The words of each model to search for, and those of models to leave out: "iphone 12 or iphone 13 -promax". */
function dividedWords(words: string) {
  const models = words
    .replace(excludedPart, "")
    .split(/ or /)
    .map((model) => foldedWords(model).slice(0, maxWords).map(cut))
    .filter((model) => model.length > 0);
  return { models, excluded: excludedParts(words).map((part) => cut(foldedWords(part).join(""))) };
}

const excludedPart = /(?<!\S)-[\p{L}\p{N}]\S*/gu;

export const excludedParts = (words: string): string[] => words.match(excludedPart) ?? [];

const cut = (word: string) => word.slice(0, maxWordLength);

/** The folded words of each model to search for; long words and further words are cut. */
export const modelTerms = (words: string): string[][] => dividedWords(words).models;

/** The folded words to search for. */
export const queryTerms = (words: string): string[] => modelTerms(words).flat().slice(0, maxWords);

interface SearchTerms {
  /** For each word, the prefixes of which a word of the variant must have one. */
  required: string[][];
  /** The prefixes that no word of the variant may have. */
  excluded: string[];
}

/**
 * Each typed word must be a prefix of a word of the variant. Words that are typed separately also match joined ones ("mi 11t"
 * finds "Mi11T"); `searchText` covers the reverse. Of several models, a variant must have all words of one.
 */
export function searchTerms(words: string): SearchTerms {
  const { models, excluded } = dividedWords(words);
  const [model = [], ...others] = models;
  return {
    required: others.length > 0 ? wordsOfEither(models) : model.map((_, at) => prefixesAt(model, at)),
    excluded,
  };
}

/** Each word of one model with each of the others, without those that a shorter choice implies. */
function wordsOfEither(models: string[][]): string[][] {
  const choices = models.reduce<string[][]>(
    (some, model) =>
      some.flatMap((prefixes) => model.map((_, at) => [...new Set([...prefixes, ...prefixesAt(model, at)])])),
    [[]],
  );
  const sorted = choices.sort((one, other) => one.length - other.length);
  return sorted.filter(
    (one, at) => !sorted.slice(0, at).some((other) => other.every((prefix) => one.includes(prefix))),
  );
}

/** The FTS5 query for all words that are typed; there must be one that is not excluded. */
export function ftsQueryOfWords(words: string): string {
  const { required, excluded } = searchTerms(words);
  const wanted = required.map((prefixes) => `(${ftsQuery(prefixes)})`).join(" AND ");
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${ftsQuery(excluded)})`;
}

export function ftsQueryPerWord(words: string[]): string[] {
  return words.map((_, at) => ftsQuery(prefixesAt(words, at)));
}

/** The FTS5 query for a word that has one of the prefixes. */
export function ftsQuery(prefixes: string[]): string {
  return prefixes.map((prefix) => `"${prefix}"*`).join(" OR ");
}

/** A word alone, and joined with the word before or after it. */
function prefixesAt(typed: string[], at: number): string[] {
  return [typed.slice(at, at + 1), typed.slice(Math.max(at - 1, 0), at + 1), typed.slice(at, at + 2)]
    .filter((words, index) => index === 0 || words.length === 2)
    .map((words) => words.join("").slice(0, maxWordLength));
}
