import { foldedWords, maxWordLength } from "../../listings/device-variant.rules.ts";

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

interface SearchTerms {
  /** An FTS5 query for the words of a variant; null if there are none. */
  match: string | null;
  /** Words that may also mean the storage or RAM of a variant. */
  memory: MemoryTerm[];
}

export interface MemoryTerm {
  /** An FTS5 query for the words themselves. */
  match: string;
  /** In gigabytes, or terabytes with a "t": "128", "1t". */
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
 * separately also match joined ones ("mi 11t" finds "Mi11T"); `searchText` covers the reverse.
 */
export function searchTerms(words: string): SearchTerms {
  const required: string[] = [];
  const memory: MemoryTerm[] = [];
  for (const { prefixes, size } of typedTerms(words)) {
    const match = prefixes.map((alternatives) => `(${ftsQuery(alternatives)})`);
    if (size) memory.push({ match: match.join(" AND "), size: size.size, columns: size.columns });
    else required.push(...match);
  }
  return { match: required.length === 0 ? null : required.join(" AND "), memory };
}

interface TypedTerm {
  /** For each typed word, the prefixes of which a word of the variant must have one. */
  prefixes: string[][];
  /** A memory size that the variant may have instead. */
  size: Pick<MemoryTerm, "size" | "columns"> | null;
}

/** The typed words, those that state a memory size together. */
export function typedTerms(words: string): TypedTerm[] {
  const typed = queryTerms(words);
  const terms: TypedTerm[] = [];
  let memoryTerms = 0;
  let at = 0;
  while (at < typed.length) {
    const size = memoryTerms < maxMemoryTerms ? memorySize(typed, at) : null;
    const prefixes = Array.from({ length: size?.words ?? 1 }, (_, index) => prefixesAt(typed, at + index));
    terms.push({ prefixes, size });
    if (size) memoryTerms += 1;
    at += prefixes.length;
  }
  return terms;
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
  const size = (digits: string, unit: string) => digits + (unit === "t" ? "t" : "");
  const columns: MemoryColumn[] = ["rom", "ram"];
  if (joined?.[1]) return { size: size(joined[1], joined[2] ?? ""), columns, words: 1 };
  if (apart) return { size: size(word, next.charAt(0)), columns, words: 2 };
  return storageSizes.includes(word) ? { size: word, columns: columns.slice(0, 1), words: 1 } : null;
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
