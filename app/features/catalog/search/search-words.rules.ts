import { foldedWords, maxWordLength } from "../../listings/device-variant.rules.ts";

const maxWords = 12;

export function hasWords(words: string): boolean {
  return foldedWords(words).length > 0;
}

/** The words of each model to search for, and those of models to leave out: "iphone 12 or iphone 13 -promax". */
export function dividedWords(words: string) {
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

/** The FTS5 query for all words of one of the typed models; there must be one that is not excluded. */
export function ftsQueryOfWords(words: string): string {
  const { models, excluded } = dividedWords(words);
  const eachWord = (model: string[]) => ftsQueryPerWord(model).map((query) => `(${query})`);
  const wanted = models.map((model) => `(${eachWord(model).join(" AND ")})`).join(" OR ");
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${ftsQuery(excluded)})`;
}

export function ftsQueryPerWord(words: string[]): string[] {
  return words.map((_, at) => ftsQuery(prefixesAt(words, at)));
}

/** The FTS5 query for a word that has one of the prefixes. */
export function ftsQuery(prefixes: string[]): string {
  return prefixes.map((prefix) => `"${prefix}"*`).join(" OR ");
}

/**
 * A typed word must be a prefix of a word of the variant: alone, or joined with the word before or after it ("mi 11t" finds
 * "Mi11T"); `searchText` covers the reverse.
 */
export function prefixesAt(typed: string[], at: number): string[] {
  return [typed.slice(at, at + 1), typed.slice(Math.max(at - 1, 0), at + 1), typed.slice(at, at + 2)]
    .filter((words, index) => index === 0 || words.length === 2)
    .map((words) => words.join("").slice(0, maxWordLength));
}
