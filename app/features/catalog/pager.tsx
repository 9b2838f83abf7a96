import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { ArrowLeftIcon, ArrowRightIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { firstPage, loadsMore, mostMore, type SearchQuery, searchString } from "./search-query.rules.ts";

/** Leads to the pages around this one; with JavaScript also loads the next one below it. */
export function Pager({
  path,
  query,
  previous,
  next,
  shown,
}: {
  path: string;
  query: SearchQuery;
  previous: string | null;
  next: string | null;
  /** Cards on the page. */
  shown: number;
}) {
  const hydrated = useHydrated();
  const load = useMore(shown);
  const to = (cursor: SearchQuery["cursor"]) => path + searchString({ ...firstPage(query), cursor });
  if (!previous && !next) return null;
  // A page that was come back to may have turned out to be the first, which can be told without a cursor.
  const start = previous ? query : { ...query, cursor: null };
  return (
    <nav aria-label="Pages" className="mt-8 grid grid-cols-2 gap-4 sm:grid-cols-[1fr_auto_1fr]">
      {previous ? (
        <Link rel="prev" to={to({ before: previous })} className="btn justify-self-start btn-outline">
          <ArrowLeftIcon /> Previous
        </Link>
      ) : (
        <span />
      )}
      {hydrated && next && loadsMore(start.cursor) && query.more < mostMore && (
        <button
          type="button"
          className="btn order-first col-span-2 btn-primary sm:order-none sm:col-span-1 sm:min-w-52"
          onClick={() => load(path + searchString({ ...start, more: query.more + 1 }))}
        >
          Load more
        </button>
      )}
      {next && (
        <Link rel="next" to={to({ after: next })} className="btn justify-self-end btn-outline sm:col-start-3">
          Next <ArrowRightIcon />
        </Link>
      )}
    </nav>
  );
}

/**
 * Loads further cards below those that are there. The address counts them, so that whoever comes back to it, by
 * Back or a reload, finds as many. The focus goes on to the first of the new ones.
 *
 * @param shown cards on the page
 */
function useMore(shown: number) {
  const navigate = useNavigate();
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (before.current === null || shown <= before.current) return;
    const first = document.querySelectorAll("main article")[before.current];
    before.current = null;
    // The new ones come into sight where the button was, so nothing is to move.
    first?.querySelector<HTMLElement>("h2 a")?.focus({ preventScroll: true });
  }, [shown]);
  return (to: string) => {
    before.current = shown;
    navigate(to, { replace: true, preventScrollReset: true });
  };
}
