import { foldedWords, maxWordLength } from "../listings/device-variant.rules.ts";

const maxWords = 12;

/** Whether there is anything in words to search for: a letter or a digit. */
export function hasWords(words: string): boolean {
  return foldedWords(words).length > 0;
}

/** The folded words that are searched for; what is too long or too much is cut. */
export function queryTerms(words: string): string[] {
  return foldedWords(words)
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength));
}

/**
 * An FTS5 query for words: each must be the beginning of a word of the variant. What is typed apart may be written
 * together there ("mi 11t" is "Mi11T"); the other way round is in the variants' search texts.
 *
 * @returns null when there is no letter and no digit in them
 */
export function ftsQuery(words: string): string | null {
  const matches = ftsQueryPerWord(queryTerms(words));
  return matches.length === 0 ? null : matches.map((match) => `(${match})`).join(" AND ");
}

/** An FTS5 query for each word by itself, among the others. */
export function ftsQueryPerWord(words: string[]): string[] {
  return words.map((_, at) => prefixTerms(words, at).join(" OR "));
}

/** A word by itself, and joined with the one before or behind it. */
function prefixTerms(typed: string[], at: number): string[] {
  return [typed.slice(at, at + 1), typed.slice(Math.max(at - 1, 0), at + 1), typed.slice(at, at + 2)]
    .filter((words, index) => index === 0 || words.length === 2)
    .map((words) => `"${words.join("").slice(0, maxWordLength)}"*`);
}
