import { Link, useLocation } from "@remix-run/react";
import { ArrowLeftIcon, ArrowRightIcon } from "./icons.tsx";

export function TablePager({ page, pages }: { page: number; pages: number }) {
  const { pathname } = useLocation();
  if (pages <= 1) return null;
  const pathOf = (number: number) => (number === 1 ? pathname : `${pathname}?page=${number}`);
  return (
    <nav aria-label="Pages" className="mt-6 flex items-center justify-between gap-4">
      {page > 1 ? (
        <Link rel="prev" to={pathOf(page - 1)} className="btn btn-outline btn-sm">
          <ArrowLeftIcon /> Previous
        </Link>
      ) : (
        <span />
      )}
      <span className="text-quiet tabular-nums">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link rel="next" to={pathOf(page + 1)} className="btn btn-outline btn-sm">
          Next <ArrowRightIcon />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}
