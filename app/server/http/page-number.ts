/** The page of a table that a request asks for, from 1; anything but a page number asks for the first. */
export function pageNumber(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get("page"));
  return Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1;
}
