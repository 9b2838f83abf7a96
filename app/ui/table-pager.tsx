import { Link, useLocation } from "@remix-run/react";
import { ArrowLeftIcon, ArrowRightIcon } from "./icons.tsx";

/** Leads through the pages of a table; nothing when there is only one. */
export function TablePager({ page, pages }: { page: number; pages: number }) {
  const { pathname } = useLocation();
  if (pages <= 1) return null;
  const address = (number: number) => (number === 1 ? pathname : `${pathname}?page=${number}`);
  return (
    <nav aria-label="Pages" className="mt-6 flex items-center justify-between gap-4">
      {page > 1 ? (
        <Link rel="prev" to={address(page - 1)} className="btn btn-outline btn-sm">
          <ArrowLeftIcon /> Previous
        </Link>
      ) : (
        <span />
      )}
      <span className="text-quiet tabular-nums">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link rel="next" to={address(page + 1)} className="btn btn-outline btn-sm">
          Next <ArrowRightIcon />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}
