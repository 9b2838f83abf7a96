import type { ReactNode } from "react";
import { ArrowLeftIcon, ArrowRightIcon } from "./icons.tsx";
import { Link } from "./link.tsx";

/** A pager for pages of `path`, which may have a query string, that begin at a cursor. */
export function CursorPager({
  path,
  previous,
  next,
  rows,
  hash = "",
}: {
  path: string;
  previous: string | null;
  next: string | null;
  /** The numbers of the page's first row and of the one after its last, so that no page has to count those before it. */
  rows?: { first: number; end: number };
  hash?: string;
}) {
  const to = (name: string, cursor: string | null, row = 0) => {
    if (!cursor) return null;
    const search = new URLSearchParams({ [name]: cursor, ...(row && { row: String(row) }) });
    return `${path}${path.includes("?") ? "&" : "?"}${search}${hash}`;
  };
  return <Pager previous={to("before", previous, rows?.first)} next={to("after", next, rows?.end)} />;
}

/** @param more a button that takes the place of the link to the next page */
export function Pager({
  previous,
  next,
  more,
}: {
  previous: string | null;
  next: string | null;
  more?: ReactNode;
}) {
  if (!previous && !next) return null;
  return (
    <nav aria-label="Pages" className="mt-8 flex flex-wrap gap-4">
      {previous && (
        <Link rel="prev" to={previous} className="btn btn-outline">
          <ArrowLeftIcon /> Previous
        </Link>
      )}
      {next &&
        (more ?? (
          <Link rel="next" to={next} className="btn ml-auto btn-outline">
            Next <ArrowRightIcon />
          </Link>
        ))}
    </nav>
  );
}
