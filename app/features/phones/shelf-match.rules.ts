/** What no phone has: two private-use characters that stand for nothing. */
export const matchesNothing = "\uF8FF\uF8FF";

const mostWords = 12;
const longestWord = 40;
const mostRuns = 6;

/**
 * Says words as FTS5 asks for them: each must begin a word of the phone, whatever its case and accents. What is
 * written together here may be apart there and the other way round: "iphone13" is "iPhone 13", "i-phone" an iPhone.
 *
 * @returns null when there is no letter and no digit in them
 */
export function wordsMatch(words: string): string | null {
  const typed = withoutAccents(words).split(/\s+/).filter(hasWords).slice(0, mostWords);
  return typed.length === 0 ? null : typed.map(wordMatch).join(" AND ");
}

function wordMatch(typed: string): string {
  const pieces = (typed.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((piece) => piece.slice(0, longestWord))
    .slice(0, mostRuns);
  const ways = [pieces.map(beginning).join(" AND ")];
  if (pieces.length > 1) ways.push(beginning(pieces.join("").slice(0, longestWord)));
  // "nova5g" is "Nova 5G", "iphone13pro" an "iPhone 13 Pro".
  for (const run of [/\p{L}+|\p{N}[\p{N}\p{L}]*/gu, /\p{L}+|\p{N}+/gu]) {
    const runs = pieces.flatMap((piece) => piece.match(run) ?? []).slice(0, mostRuns);
    if (runs.length === pieces.length) continue;
    const last = runs.pop() ?? "";
    // What stands before the last is a whole word: "s21" must not find a Samsung with some 21.
    ways.push([...runs.map((whole) => `"${whole}"`), beginning(last)].join(" AND "));
  }
  return `(${[...new Set(ways)].map((way) => `(${way})`).join(" OR ")})`;
}

const beginning = (word: string) => `"${word}"*`;

const hasWords = (typed: string) => /[\p{L}\p{N}]/u.test(typed);

/** Latin accents alone, as the index leaves them out; other scripts have marks that make another letter. */
function withoutAccents(words: string): string {
  return words
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .normalize("NFC")
    .toLowerCase();
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
