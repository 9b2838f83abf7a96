/**
 * Replaces NUL and unpaired surrogates, which the database cannot store reliably, with U+FFFD. Parts of SQLite treat
 * NUL as the end of a text, so it could hide what follows.
 * @see https://sqlite.org/nulinstr.html
 */
export function sanitizeText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
