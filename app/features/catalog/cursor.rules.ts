/**
 * Where a page of a list begins: after a sort key or before it; null is the first page. A sort key stays where it is
 * when the listing that had it is gone.
 */
export type Cursor = { after: string } | { before: string } | null;

/** Sort keys: the number or the id of a listing, or a value and the number behind it ("34950.12"). */
export const numberKey = /^\d{1,12}$/;
export const valueAndNumberKey = /^-?\d{1,12}\.\d{1,12}$/;
export const listingId = /^[0-9a-f-]{36}$/;

/**
 * The cursor that an address names; nonsense is ignored.
 *
 * @param key what the list's sort keys look like
 */
export function parseCursor(parameters: URLSearchParams, key: RegExp): Cursor {
  const after = parameters.get("after") ?? "";
  const before = parameters.get("before") ?? "";
  if (key.test(after)) return { after };
  return key.test(before) ? { before } : null;
}

/** Whether a page is read from its end to its beginning. */
export function isBackwards(cursor: Cursor): boolean {
  return cursor !== null && "before" in cursor;
}

/**
 * Puts a page together from rows that were read from a cursor on.
 *
 * @param rows in the direction of reading, one more than a page where there is one
 * @returns the page in the list's order, and the sort keys that the pages around it begin at, where there are any
 */
export function keysetPage<Row>(rows: Row[], cursor: Cursor, size: number, sortKeyOf: (row: Row) => string) {
  const backwards = isBackwards(cursor);
  const more = rows.length > size;
  const page = rows.slice(0, size);
  if (backwards) page.reverse();
  const [first = null, last = null] = [page.at(0), page.at(-1)].map((row) => row && sortKeyOf(row));
  return {
    phones: page,
    previous: (backwards ? more : cursor !== null) ? first : null,
    next: backwards || more ? last : null,
  };
}
