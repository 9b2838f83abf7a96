/** What no phone has: two private-use characters that stand for nothing. */
export const matchesNothing = "\uF8FF\uF8FF";

const mostWords = 12;
const longestWord = 40;
const mostRuns = 6;

/** Letters and digits, but for some of New Tai Lue and Vedic, which FTS5 does not take for letters. */
const letters = /(?:(?![\u19B0-\u19C0\u19C8\u19C9\u1CF2\u1CF3])[\p{L}\p{N}])+/gu;

/** Whether there is anything in words to search for: a letter or a digit. */
export function hasWords(words: string): boolean {
  return words.search(letters) >= 0;
}

/**
 * Says words as FTS5 asks for them: each must begin a word of the phone, whatever its case and accents. What is
 * written together here may be apart there and the other way round: "iphone13" is "iPhone 13", "i phone" an iPhone.
 *
 * @returns null when there is no letter and no digit in them
 */
export function wordsMatch(words: string): string | null {
  const typed = words.split(/\s+/).filter(hasWords).slice(0, mostWords);
  if (typed.length === 0) return null;
  // As it stands, which is how the index has it, and in plain letters: "Ⅷ" and "VIII", "１３" and "13".
  const [asTyped, plain] = [waysOf(typed), waysOf(typed.map((word) => word.normalize("NFKD")))];
  return typed
    .map((_, at) => [...new Set([...(asTyped[at] ?? []), ...(plain[at] ?? [])])])
    .map((ways) => `(${ways.map((way) => `(${way})`).join(" OR ")})`)
    .join(" AND ");
}

/** For each word what will do, any of which finds it. */
function waysOf(typed: string[]): string[][] {
  const words = typed.map(piecesOf);
  const pieces = words.flat();
  let next = 0;
  return words.map((own) => {
    const first = next;
    next += own.length;
    return [own.map((_, at) => aloneOrJoined(pieces, first + at)).join(" AND "), ...runsOf(own)];
  });
}

function piecesOf(word: string): string[] {
  const pieces = withoutAccents(word).match(letters) ?? [];
  return pieces.slice(0, mostRuns).map((piece) => piece.slice(0, longestWord));
}

/** A piece by itself, or in one word with the one before or behind: "mi 11t" is "Mi11T", "z fold 5" a "Z-Fold5". */
function aloneOrJoined(pieces: string[], at: number): string {
  const joined = [pieces.slice(at - 1, at + 1), pieces.slice(at, at + 2)].filter(
    ({ length }) => length === 2,
  );
  const words = [pieces[at] ?? "", ...joined.map((pair) => pair.join("").slice(0, longestWord))];
  return words.length === 1 ? words.map(beginning).join() : `(${words.map(beginning).join(" OR ")})`;
}

function runsOf(pieces: string[]): string[] {
  const ways: string[] = [];
  if (pieces.length > 2) ways.push(beginning(pieces.join("").slice(0, longestWord)));
  // "nova5g" is "Nova 5G", "iphone13pro" an "iPhone 13 Pro", "s21ultra" an "S21 Ultra".
  for (const run of [/\p{L}+|\p{N}[\p{N}\p{L}]*/gu, /\p{L}+|\p{N}+/gu, /\p{L}+\p{N}*|\p{N}+/gu]) {
    const runs = pieces.flatMap((piece) => piece.match(run) ?? []).slice(0, mostRuns);
    if (runs.length === pieces.length) continue;
    const last = runs.pop() ?? "";
    // What stands before the last is a whole word: "s21" must not find a Samsung with some 21.
    ways.push([...runs.map((whole) => `"${whole}"`), beginning(last)].join(" AND "));
  }
  return ways;
}

const beginning = (word: string) => `"${word}"*`;

/** Letters that are no others with an accent; the migration `shelf_variants` writes them in the same way. */
const plainLetters: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
};

/** Latin accents alone, as the index leaves them out; other scripts have marks that make another letter. */
function withoutAccents(words: string): string {
  return words
    .normalize("NFD")
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[łøđðþßæœı]/g, (letter) => plainLetters[letter] ?? letter);
}

/** What prices are kept below, in cents; the index takes higher ones for the highest. */
const highestCents = 2 ** 24 - 1;
const levels = 8;
/** The first characters of each level's tokens, as the migration `shelves` writes them. */
const levelStarts = [57344, 61440, 61952, 62016, 62024, 62025, 62026, 62027];

/**
 * Says a range of prices, both ends included, as FTS5 asks for it: exactly, by the fewest tokens that cover it.
 */
export function priceMatch(fromCents: number | null, toCents: number | null): string {
  let cents = Math.min(fromCents ?? 0, highestCents);
  const last = Math.min(toCents ?? highestCents, highestCents);
  if ((fromCents ?? 0) > (toCents ?? Number.POSITIVE_INFINITY)) return matchesNothing;
  const tokens: string[] = [];
  while (cents <= last) {
    let level = levels - 1;
    while (cents % 8 ** level !== 0 || cents + 8 ** level - 1 > last) level -= 1;
    tokens.push(priceToken(level, cents / 8 ** level));
    cents += 8 ** level;
  }
  return `(${tokens.join(" OR ")})`;
}

function priceToken(level: number, step: number): string {
  return String.fromCharCode((levelStarts[level] as number) + (step >> 12), 57344 + (step & 4095));
}
