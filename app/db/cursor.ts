/**
 * Keyset pagination cursor: the page after or before a sort key; null is the first page. `row` is the number of the row
 * that the page begins or, before a key, ends at, as the page with the link counted it.
 */
export type Cursor = { after: string; row?: string } | { before: string; row?: string } | null;

/** Formats of sort keys: a row's id, a listing's number, a value and a number ("34950.12"), a value and an id. */
export const idKey = /^[0-9a-f-]{36}$/;
export const numberKey = /^\d{1,12}$/;
export const valueAndNumberKey = /^-?\d{1,12}\.\d{1,12}$/;
/** A number and a name, which may have a full stop: "12.apple iphone 13". */
export const numberAndNameKey = /^\d{1,12}\.[^\0]{1,300}$/u;
/** `idKey` or `valueAndIdKey`. */
export const tableKey = /^(?:[^\0]{0,300}\.)?[0-9a-f-]{36}$/u;
export const valueAndIdKey = /^[^\0]{0,300}\.[0-9a-f-]{36}$/u;

/** The two parts of a `valueAndIdKey`. */
export function splitValueAndId(key: string): { value: string; id: string } {
  const dot = key.lastIndexOf(".");
  return { value: key.slice(0, Math.max(0, dot)), id: key.slice(dot + 1) };
}

export function parseCursor(parameters: URLSearchParams, key: RegExp): Cursor {
  const after = parameters.get("after") ?? "";
  const before = parameters.get("before") ?? "";
  if (key.test(after)) return { after };
  return key.test(before) ? { before } : null;
}

/** Reads the cursor of a query string and writes it as one: empty for the first page. */
export const cursorSearch = (key: RegExp) => (parameters: URLSearchParams) => {
  const cursor = parseCursor(parameters, key);
  return cursor ? `?${new URLSearchParams(cursor)}` : "";
};

export function isBackwards(cursor: Cursor): boolean {
  return cursor !== null && "before" in cursor;
}

/** The sort key of a cursor; null for the first page. The row that had it may have been deleted. */
export function sortKeyOf(cursor: Cursor): string | null {
  if (cursor === null) return null;
  return "after" in cursor ? cursor.after : cursor.before;
}

/** Reads all rows of a query sorted by id in batches, the first of which may be smaller. */
export async function* readInBatches<Row extends { id: string }>(
  read: (cursor: Cursor, limit: number) => Promise<Row[]>,
  { start = null, size, firstSize = size }: { start?: Cursor; size: number; firstSize?: number },
): AsyncGenerator<Row[], void> {
  let cursor = start;
  for (let limit = firstSize; ; limit = size) {
    const rows = await read(cursor, limit);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < limit) return;
    cursor = { after: last.id };
  }
}

/**
 * Splits what was read into a page and the cursors around it. `start` is the cursor that the page follows, however it was
 * reached; null for the first page.
 *
 * @param rows in reading order, with one more than the page size if there is another page
 */
export function keysetPage<Row>(rows: Row[], cursor: Cursor, size: number, keyOf: (row: Row) => string) {
  const backwards = isBackwards(cursor);
  const more = rows.length > size;
  const extraRow = rows[size];
  const page = rows.slice(0, size);
  if (backwards) page.reverse();
  const [first = null, last = null] = [page.at(0), page.at(-1)].map((row) => row && keyOf(row));
  return {
    rows: page,
    start: backwards ? (extraRow ? { after: keyOf(extraRow) } : null) : cursor,
    previous: (backwards ? more : cursor !== null) ? first : null,
    next: backwards || more ? last : null,
    isFirstPage: cursor === null,
  };
}
