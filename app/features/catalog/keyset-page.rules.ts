/** Where a page of such a list begins: after the row of a key, or before it; null is the first page. */
export type KeyMark = { after: string } | { before: string } | null;

/** What the id of a listing looks like. */
export const listingId = /^[0-9a-f-]{36}$/;

/** The mark that a query names; nonsense is ignored. */
export function keyMark(query: URLSearchParams): KeyMark {
  const after = query.get("after") ?? "";
  const before = query.get("before") ?? "";
  if (listingId.test(after)) return { after };
  return listingId.test(before) ? { before } : null;
}

/**
 * Puts a page of a list together that is read by its keys.
 *
 * @param rows from the mark on in the direction of reading, one more than a page where there is one
 * @returns the page in the list's order, and the marks of the pages around it where there are any
 */
export function keysetPage<Row>(rows: Row[], mark: KeyMark, size: number, keyOf: (row: Row) => string) {
  const backwards = mark !== null && "before" in mark;
  const more = rows.length > size;
  const page = rows.slice(0, size);
  if (backwards) page.reverse();
  const [first = null, last = null] = [page.at(0), page.at(-1)].map((row) => row && keyOf(row));
  return {
    phones: page,
    previous: (backwards ? more : mark !== null) ? first : null,
    next: backwards || more ? last : null,
  };
}
