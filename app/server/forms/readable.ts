/**
 * Text as it can be kept and shown. Halves of characters, which UTF-8 cannot hold, become U+FFFD, and so does NUL, as in
 * HTML: to parts of SQLite a text ends there, and what stands behind it would be looked at by nobody.
 *
 * @see https://sqlite.org/nulinstr.html
 */
export function readable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
