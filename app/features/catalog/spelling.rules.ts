/** A word that a misspelt one may mean. */
export interface Candidate {
  word: string;
  /** Listed phones that have it. */
  listed: number;
}

/** The least that a misspelt word has in common with the right one; 1 is everything. */
const minSimilarity = 0.42;
/** In letters; most short words are like another one by chance. */
const minLetters = 3;

/** The runs of three letters of a word, padded so that its beginning and its end count too. */
export function trigrams(word: string): Set<string> {
  const letters = [" ", " ", ...word, " "];
  return new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`));
}

/** How much two words have in common: the Dice coefficient of their trigrams, from 0 to 1. */
export function similarity(one: string, other: string): number {
  const [ones, others] = [trigrams(one), trigrams(other)];
  const common = [...ones].filter((trigram) => others.has(trigram)).length;
  return (2 * common) / (ones.size + others.size);
}

/** Whether a word can be corrected at all: it has enough letters. */
export function isCorrectable(word: string): boolean {
  return (word.match(/\p{L}/gu)?.length ?? 0) >= minLetters;
}

/**
 * What a misspelt word means: the candidate that is most like it. Digits are never corrected. Where letters and
 * digits are typed together ("iphnoe13"), the letters may be a word of their own.
 *
 * @returns null when no candidate is like it
 */
export function correctedWord(typed: string, candidates: readonly Candidate[]): string | null {
  const whole = mostSimilar(typed, candidates);
  if (whole !== null) return whole;
  const corrected = typed.replace(/\p{L}+/gu, (letters) => mostSimilar(letters, candidates) ?? letters);
  return corrected === typed ? null : corrected;
}

/**
 * The word that is most like the typed one: similar enough, or its letters in another order, of which short words
 * keep few trigrams. Among words that are equally like it, that of more phones, else the first by the alphabet.
 */
function mostSimilar(typed: string, candidates: readonly Candidate[]): string | null {
  if (!isCorrectable(typed)) return null;
  const [best] = candidates
    .filter(({ word }) => digits(word) === digits(typed))
    .map((candidate) => ({ ...candidate, likeness: similarity(typed, candidate.word) }))
    .filter(({ word, likeness }) => likeness >= minSimilarity || sorted(word) === sorted(typed))
    .sort(
      (one, other) =>
        other.likeness - one.likeness || other.listed - one.listed || (one.word < other.word ? -1 : 1),
    );
  return best?.word ?? null;
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

function digits(word: string): string {
  return word.match(/\p{N}/gu)?.join("") ?? "";
}
