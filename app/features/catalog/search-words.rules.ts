import { foldedWords, maxWordLength } from "../listings/device-variant.rules.ts";

const maxWords = 12;

export function hasWords(words: string): boolean {
  return foldedWords(words).length > 0;
}

/** The folded words to search for; long words and further words are cut. */
export function queryTerms(words: string): string[] {
  return foldedWords(words)
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength));
}

/**
 * Builds an FTS5 query: each word must be a prefix of a word of the variant. Words that are typed separately also match
 * joined ones ("mi 11t" finds "Mi11T"); `searchText` covers the reverse.
 *
 * @returns null if the words have no letter or digit
 */
export function ftsQuery(words: string): string | null {
  const matches = ftsQueryPerWord(queryTerms(words));
  return matches.length === 0 ? null : matches.map((match) => `(${match})`).join(" AND ");
}

export function ftsQueryPerWord(words: string[]): string[] {
  return words.map((_, at) => prefixTerms(words, at).join(" OR "));
}

/** FTS5 terms for a word alone, and joined with the word before or after it. */
function prefixTerms(typed: string[], at: number): string[] {
  return [typed.slice(at, at + 1), typed.slice(Math.max(at - 1, 0), at + 1), typed.slice(at, at + 2)]
    .filter((words, index) => index === 0 || words.length === 2)
    .map((words) => `"${words.join("").slice(0, maxWordLength)}"*`);
}
