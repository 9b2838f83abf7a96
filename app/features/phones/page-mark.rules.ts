/** Where a page of a list begins: after one phone in the list's order, or before one; null is the first page. */
export type PageMark = { after: string } | { before: string } | null;

const key = /^[0-9a-f-]{36}$/;

/** The mark that a query names; nonsense is ignored. */
export function pageMark(query: URLSearchParams): PageMark {
  const after = query.get("after") ?? "";
  const before = query.get("before") ?? "";
  if (key.test(after)) return { after };
  return key.test(before) ? { before } : null;
}
