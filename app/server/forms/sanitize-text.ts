/**
 * Replaces unpaired surrogates, and NUL, at which parts of SQLite end a text. @see https://sqlite.org/nulinstr.html
 */
export function sanitizeText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
