/**
 * Where a page of a list begins: after a listing's place in the list's order, or before it; null is the first page. A
 * place is the listing's number, with the value that the list is ordered by before it ("34950.12"). It stays where
 * it is when the listing is gone.
 */
export type PageMark = { after: string } | { before: string } | null;

const place = /^(?:-?\d{1,12}\.)?\d{1,12}$/;

/** The mark that a query names; nonsense is ignored. */
export function pageMark(query: URLSearchParams): PageMark {
  const after = query.get("after") ?? "";
  const before = query.get("before") ?? "";
  if (place.test(after)) return { after };
  return place.test(before) ? { before } : null;
}
