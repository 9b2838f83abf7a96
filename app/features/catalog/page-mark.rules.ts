/**
 * Where a page of a list begins: after one place in the list's order, or before one; null is the first page. A place
 * is a whole number, and stays where it is when the phone that had it is gone.
 */
export type PageMark = { after: string } | { before: string } | null;

const place = /^\d{1,16}$/;

/** The mark that a query names; nonsense is ignored. */
export function pageMark(query: URLSearchParams): PageMark {
  const after = query.get("after") ?? "";
  const before = query.get("before") ?? "";
  if (place.test(after)) return { after };
  return place.test(before) ? { before } : null;
}
