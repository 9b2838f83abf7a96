/** Compares entity tags weakly. @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function etagMatches(request: Request, etag: string): boolean {
  const known = request.headers.get("If-None-Match");
  if (known === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return known.trim() === "*" || known.split(",").some((tag) => opaque(tag) === opaque(etag));
}
