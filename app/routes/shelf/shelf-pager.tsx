import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import {
  firstPage,
  loadsMore,
  mostMore,
  type ShelfQuery,
  shelfSearch,
} from "#app/features/phones/shelf-query.rules.ts";
import { useHydrated } from "#app/ui/hydrated.ts";
import { ArrowLeftIcon, ArrowRightIcon } from "#app/ui/icons.tsx";

/** Leads to the pages around this one; with JavaScript also loads the next one below it. */
export function ShelfPager({
  path,
  query,
  previous,
  next,
  shown,
}: {
  path: string;
  query: ShelfQuery;
  previous: string | null;
  next: string | null;
  /** Cards on the page. */
  shown: number;
}) {
  const to = (mark: ShelfQuery["mark"]) => path + shelfSearch({ ...firstPage(query), mark });
  if (!previous && !next) return null;
  // A page that was come back to may have turned out to be the first, which can be told without a mark.
  const start = previous ? query : { ...query, mark: null };
  return (
    <nav aria-label="Pages" className="mt-8 flex flex-wrap justify-between gap-4">
      {next && loadsMore(start.mark) && query.more < mostMore && (
        <LoadMore to={path + shelfSearch({ ...start, more: query.more + 1 })} shown={shown} />
      )}
      {previous ? (
        <Link rel="prev" to={to({ before: previous })} className="btn btn-outline">
          <ArrowLeftIcon /> Previous
        </Link>
      ) : (
        <span />
      )}
      {next && (
        <Link rel="next" to={to({ after: next })} className="btn btn-outline">
          Next <ArrowRightIcon />
        </Link>
      )}
    </nav>
  );
}

/**
 * Loads further cards below those that are there. The address counts them, so that whoever comes back to it, by
 * Back or a reload, finds as many.
 */
function LoadMore({ to, shown }: { to: string; shown: number }) {
  const navigate = useNavigate();
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (before.current === null || shown <= before.current) return;
    const first = document.querySelectorAll<HTMLElement>("main article")[before.current];
    before.current = null;
    // On from where the new ones begin; the visitor sees them coming, so nothing is to move.
    first?.querySelector("a")?.focus({ preventScroll: true });
  }, [shown]);
  if (!useHydrated()) return null;
  return (
    <div className="flex w-full justify-center">
      <button
        type="button"
        className="btn w-full btn-primary sm:w-auto sm:min-w-52"
        onClick={() => {
          before.current = shown;
          navigate(to, { replace: true, preventScrollReset: true });
        }}
      >
        Load more
      </button>
    </div>
  );
}
