/** Fields whose text is stored as a hash, so that it stays as it was typed. */
export const secretFields: readonly string[] = ["password", "currentPassword"];

/**
 * A text as it enters, from a form, JSON or a query: in Unicode's form C, with ordinary spaces and line breaks, without
 * space around it, and without what shows nothing or turns the direction of writing. A text that shows nothing is empty.
 */
export function sanitizeText(text: string): string {
  const shown = storableText(text.replaceAll("\0", ""))
    .normalize("NFC")
    .replace(/[\p{Zs}\u2800]/gu, " ")
    .replace(/[\r\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(unseen, (found, at: number, whole: string) => (isNeeded(found, at, whole) ? found : ""))
    .trim();
  return /^[\s\p{M}\uFFFC\p{Default_Ignorable_Code_Point}]*$/u.test(shown) ? "" : shown;
}

/** A text as one line, for names and subjects. */
export function singleLine(text: string): string {
  return sanitizeText(text).replace(/\s+/g, " ");
}

/** A text as one line of at most so many characters. */
export function cutLine(text: string, maxLength: number): string {
  return singleLine(singleLine(text).slice(0, maxLength));
}

/** An email address or a number with plain letters in place of full-width ones, which Asian keyboards write, and plain digits. */
export function plainLetters(text: string): string {
  return text.normalize("NFKC").replace(/(?!\d)\p{Nd}/gu, plainDigit);
}

/** A digit of another script. Each has its ten in a row, from zero on. */
function plainDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let zero = at;
  while (/^\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((at - zero) % 10);
}

/**
 * Replaces what cannot be stored: unpaired surrogates, noncharacters, and NUL, at which parts of SQLite end a text
 * (https://sqlite.org/nulinstr.html). Line breaks become one character: browsers submit them as two.
 */
export function storableText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\0\p{Noncharacter_Code_Point}]/gu, "\uFFFD")
    .replaceAll("\r\n", "\n");
}

/** Controls, formats and what else has no shape of its own; the tags behind a flag with their flag. */
const unseen =
  /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F}|[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\n\t])\p{Cc}/gu;

/** Formats that are seen: signs of numbers and verses in Arabic and Syriac. */
const seen = /^[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2]$/;

/** Letters and marks of scripts in which joiners choose a shape. */
const joining =
  "\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}" +
  "\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}";
const endsJoining = new RegExp(`(?![\\p{Cf}\\s])[${joining}]$`, "u");
const endsInMark = new RegExp(`(?=\\p{M})[${joining}]$`, "u");
const startsJoining = new RegExp(`^(?![\\p{Cf}\\s])[${joining}]`, "u");

/** Whether what stands beside a character without a shape is shown in another way by it. */
function isNeeded(found: string, at: number, text: string): boolean {
  if (found.length > 2 || seen.test(found)) return true;
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + found.length, at + found.length + 2);
  if (/^\p{Variation_Selector}$/u.test(found))
    return /(?![\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}])[^\s]$/u.test(before);
  if (found === "\u200D" && /^\p{Extended_Pictographic}/u.test(after)) {
    return /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u.test(before);
  }
  if (found !== "\u200C" && found !== "\u200D") return false;
  return endsInMark.test(before) || (endsJoining.test(before) && startsJoining.test(after));
}
