import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { CursorPager } from "./cursor-pager.tsx";
import {
  canLoadMore,
  firstPage,
  maxExtraPages,
  type SearchQuery,
  searchString,
} from "./search-query.rules.ts";

/** Links to the pages around this page of a list; with JavaScript also loads the next one below it. */
export function ListPager({
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
  const load = useLoadMore(shown);
  const addressOf = (cursor: SearchQuery["cursor"]) => path + searchString({ ...firstPage(query), cursor });
  // If there is no previous page, drop the cursor.
  const start = previous ? query : { ...query, cursor: null };
  return (
    <CursorPager
      previous={previous && addressOf({ before: previous })}
      next={next && addressOf({ after: next })}
    >
      {hydrated && next && canLoadMore(start.cursor) && query.more < maxExtraPages && (
        <button
          type="button"
          className="btn order-first col-span-2 btn-primary sm:order-none sm:col-span-1 sm:min-w-52"
          onClick={() => load(path + searchString({ ...start, more: query.more + 1 }))}
        >
          Load more
        </button>
      )}
    </CursorPager>
  );
}

/**
 * Loads further cards below those that are there. The address counts them, so that whoever comes back to it, by
 * Back or a reload, finds as many. The focus goes on to the first of the new ones.
 *
 * @param shown cards on the page
 */
function useLoadMore(shown: number) {
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
