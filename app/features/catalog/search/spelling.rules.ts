import { categoryWords, fillerWords, modelSuffixes } from "../typed-words.ts";
import { carriers, filterWords, phrasesOf } from "./phrases.rules.ts";

export interface SpellingCandidate {
  word: string;
  /** Listed phones with this word. */
  listed: number;
}

/** Minimum similarity of a correction, from 0 to 1. */
const minSimilarity = 0.42;
/** Shorter words are similar to others by chance. */
const minLetters = 3;

/** The trigrams of a word, padded so that they include its beginning and end. */
export function trigrams(word: string): Set<string> {
  const letters = [" ", " ", ...word, " "];
  return new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`));
}

/** The Dice coefficient of their trigrams, from 0 to 1. */
export function similarity(one: string, other: string): number {
  const [ones, others] = [trigrams(one), trigrams(other)];
  const common = [...ones].filter((trigram) => others.has(trigram)).length;
  return (2 * common) / (ones.size + others.size);
}

export function isCorrectable(word: string): boolean {
  return !modelSuffixes.split(", ").includes(word) && (word.match(/\p{L}/gu)?.length ?? 0) >= minLetters;
}

/** Null if no candidate is similar enough. Digits are kept; in "iphnoe13" the letters are corrected alone. */
export function correctedWord(typed: string, candidates: readonly SpellingCandidate[]): string | null {
  const whole = mostSimilar(typed, candidates);
  if (whole !== null) return whole;
  const corrected = typed.replace(/\p{L}+/gu, (letters) => mostSimilar(letters, candidates) ?? letters);
  return corrected === typed ? null : corrected;
}

/**
 * The most similar word: one above the minimum similarity, or with the same letters in another order, since short words
 * then share few trigrams. Ties go to the word with more phones, then to the first in alphabetical order.
 */
function mostSimilar(typed: string, candidates: readonly SpellingCandidate[]): string | null {
  if (!isCorrectable(typed)) return null;
  const [best] = candidates
    .filter(({ word }) => !fillerWords.includes(word) && isAsLong(word, typed))
    .filter(({ word }) => digits(word) === digits(typed))
    .map((candidate) => ({ ...candidate, score: similarity(typed, candidate.word) }))
    .filter(({ word, score }) => score >= minSimilarity || sorted(word) === sorted(typed))
    .sort(
      (one, other) =>
        other.score - one.score || other.listed - one.listed || (one.word < other.word ? -1 : 1),
    );
  return best?.word ?? null;
}

/** "airpods" are no "air". */
function isAsLong(word: string, typed: string): boolean {
  return Math.abs(word.length - typed.length) <= Math.max(1, Math.floor(typed.length / 3));
}

const sorted = (word: string): string => [...word].sort().join("");
const digits = (word: string): string => word.replace(/\P{N}/gu, "");

let vocabulary: string[] | undefined;

/** The words for filters that may be mistyped. Those of four letters are corrected only if two are swapped. */
function correctable(): string[] {
  vocabulary ??= [...filterWords, ...carriers, ...Object.values(categoryWords).map((table) => ({ table }))]
    .flatMap(({ table }) => phrasesOf(table))
    .concat("under", "below", "cheap", "cheapest", "battery", "storage", "condition")
    .filter((word) => /^[a-z]{4,}$/.test(word));
  return vocabulary;
}

/** Corrects a mistyped word for a filter: one letter missing, added, wrong, or two swapped; the first is right. */
export function correctedFilterWord(typed: string): string {
  const word = typed.toLowerCase();
  if (word.length < 4 || correctable().includes(word)) return typed;
  return correctable().find((known) => known[0] === word[0] && isMistyped(word, known)) ?? typed;
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
