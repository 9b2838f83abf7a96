/**
 * Replaces unpaired surrogates, and NUL, at which parts of SQLite end a text (https://sqlite.org/nulinstr.html). Line
 * breaks become one character: browsers submit them as two.
 */
export function sanitizeText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD").replaceAll("\r\n", "\n");
}

/**
 * A text as one line, for names and subjects: without control characters, and without those that turn the direction of
 * writing, by which a name could disguise what follows it.
 */
export function singleLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}
