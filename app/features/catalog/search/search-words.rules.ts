import { foldedWords, maxWordLength } from "../../listings/device-variant.rules.ts";

const maxWords = 12;

export function hasWords(words: string): boolean {
  return foldedWords(words).length > 0;
}

/** The words of each model to search for, and those of models to leave out: "iphone 12 or iphone 13 -promax". */
function dividedWords(words: string) {
  const excluded = excludedParts(words);
  const wanted = words
    .split(/\s+/)
    .filter((part) => !excluded.includes(part))
    .join(" ");
  const models = wanted
    .split(/ or /)
    .map((model) => foldedWords(model).slice(0, maxWords).map(cut))
    .filter((model) => model.length > 0);
  return { models, excluded: excluded.map((part) => cut(foldedWords(part).join(""))) };
}

export const excludedParts = (words: string): string[] => words.match(/(?<!\S)-[\p{L}\p{N}]\S*/gu) ?? [];

const cut = (word: string) => word.slice(0, maxWordLength);

/** The folded words of each model to search for; long words and further words are cut. */
export const modelTerms = (words: string): string[][] => dividedWords(words).models;

/** The folded words to search for. */
export const queryTerms = (words: string): string[] => modelTerms(words).flat().slice(0, maxWords);

interface SearchTerms {
  /** For each word, the prefixes of which a word of the variant must have one. */
  required: string[][];
  /** Words that may also mean the storage or RAM of a variant. */
  memory: MemoryTerm[];
  /** The prefixes that no word of the variant may have. */
  excluded: string[];
}

export interface MemoryTerm {
  /** As `required`, for the words themselves. */
  prefixes: string[][];
  /** "128 GB", "1 TB". */
  size: string;
  columns: MemoryColumn[];
}

type MemoryColumn = "rom" | "ram";

/** The column that a word beside a size names: "8 GB RAM", "storage 128". */
function memoryColumn(word = ""): MemoryColumn | undefined {
  if (word === "ram") return "ram";
  return word === "rom" || word === "storage" ? "rom" : undefined;
}

/** Numbers that mean gigabytes of storage without a unit. Smaller ones are part of a model's name: "iPhone 13". */
export const storageSizes = ["32", "64", "128", "256", "512"];

/** A device has one RAM and one storage. Further sizes are searched for as words. */
const maxMemoryTerms = 2;

/**
 * Divides the typed words: each must be a prefix of a word of the variant, or a memory size. Words that are typed
 * separately also match joined ones ("mi 11t" finds "Mi11T"); `searchText` covers the reverse. Of several models, a
 * variant must have all words of one.
 */
export function searchTerms(words: string): SearchTerms {
  const { models, excluded } = dividedWords(words);
  const [typed = [], ...others] = models;
  if (others.length > 0) return { required: wordsOfEither(models), memory: [], excluded };
  const required: string[][] = [];
  const memory: MemoryTerm[] = [];
  for (let at = 0; at < typed.length; ) {
    const size = memory.length < maxMemoryTerms ? memorySize(typed, at) : null;
    const prefixes = Array.from({ length: size?.words ?? 1 }, (_, index) => prefixesAt(typed, at + index));
    if (size) memory.push({ prefixes, size: size.size, columns: size.columns });
    else required.push(...prefixes);
    at += prefixes.length;
  }
  return { required, memory, excluded };
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

/** The memory size at a position, with the word that names its column: "8gb ram", "storage 128 gb". */
function memorySize(typed: string[], at: number) {
  const before = memoryColumn(typed[at]);
  const start = before ? at + 1 : at;
  const size = sizeWithoutColumn(typed, start);
  if (!size) return null;
  const after = before ? undefined : memoryColumn(typed[start + size.words]);
  const column = before ?? after;
  return column ? { size: size.size, columns: [column], words: size.words + 1 } : size;
}

/** "128gb", "128 gb", "1tb" or, for storage alone, "128". */
function sizeWithoutColumn(typed: string[], at: number) {
  const [word = "", next = ""] = typed.slice(at);
  const joined = /^(\d{1,4})([gt])b$/.exec(word);
  const apart = /^\d{1,4}$/.test(word) && /^[gt]b$/.test(next);
  const size = (digits: string, unit: string) => `${Number(digits)} ${unit === "t" ? "TB" : "GB"}`;
  const columns: MemoryColumn[] = ["rom", "ram"];
  if (joined?.[1]) return { size: size(joined[1], joined[2] ?? ""), columns, words: 1 };
  if (apart) return { size: size(word, next.charAt(0)), columns, words: 2 };
  return storageSizes.includes(word)
    ? { size: size(word, ""), columns: columns.slice(0, 1), words: 1 }
    : null;
}

/** The FTS5 query for words that have a prefix of each choice. */
export function ftsQueryOfAll(required: string[][]): string {
  return required.map((prefixes) => `(${ftsQuery(prefixes)})`).join(" AND ");
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
