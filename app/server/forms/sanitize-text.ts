/**
 * Replaces unpaired surrogates, and NUL, at which parts of SQLite end a text (https://sqlite.org/nulinstr.html). Line
 * breaks become one character: browsers submit them as two.
 */
export function sanitizeText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD").replaceAll("\r\n", "\n");
}
