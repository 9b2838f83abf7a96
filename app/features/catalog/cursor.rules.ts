/**
 * Where a page of a list begins: after a listing's place in the list's order, or before it; null is the first page. A
 * place stays where it is when the listing is gone.
 */
export type Cursor = { after: string } | { before: string } | null;

/** A listing's number, with the value that the list is ordered by before it: "34950.12". */
const listingPlace = /^(?:-?\d{1,12}\.)?\d{1,12}$/;

/** What the id of a listing looks like. */
export const listingId = /^[0-9a-f-]{36}$/;

/**
 * The cursor that an address names; nonsense is ignored.
 *
 * @param place what a place looks like in this list
 */
export function cursorIn(parameters: URLSearchParams, place = listingPlace): Cursor {
  const after = parameters.get("after") ?? "";
  const before = parameters.get("before") ?? "";
  if (place.test(after)) return { after };
  return place.test(before) ? { before } : null;
}

/** Whether a page is read from its end to its beginning. */
export function isBackwards(cursor: Cursor): boolean {
  return cursor !== null && "before" in cursor;
}

/**
 * Puts a page together from rows that were read from a cursor on.
 *
 * @param rows in the direction of reading, one more than a page where there is one
 * @returns the page in the list's order, and the places that the pages around it begin at, where there are any
 */
export function keysetPage<Row>(rows: Row[], cursor: Cursor, size: number, placeOf: (row: Row) => string) {
  const backwards = isBackwards(cursor);
  const more = rows.length > size;
  const page = rows.slice(0, size);
  if (backwards) page.reverse();
  const [first = null, last = null] = [page.at(0), page.at(-1)].map((row) => row && placeOf(row));
  return {
    phones: page,
    previous: (backwards ? more : cursor !== null) ? first : null,
    next: backwards || more ? last : null,
  };
}
