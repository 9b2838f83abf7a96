import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { Pager } from "#app/ui/pager.tsx";
import {
  canLoadMore,
  firstPage,
  maxExtraPages,
  type SearchQuery,
  searchString,
} from "./search-query.rules.ts";

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
  shown: number;
}) {
  const hydrated = useHydrated();
  const load = useLoadMore(shown);
  const pathOf = (cursor: SearchQuery["cursor"]) => path + searchString({ ...firstPage(query), cursor });
  // Without a previous page the cursor is not needed.
  const start = previous ? query : { ...query, cursor: null };
  return (
    <Pager previous={previous && pathOf({ before: previous })} next={next && pathOf({ after: next })}>
      {hydrated && next && canLoadMore(start.cursor) && query.extraPages < maxExtraPages && (
        <button
          type="button"
          className="btn order-first col-span-2 btn-primary sm:order-none sm:col-span-1 sm:min-w-52"
          onClick={() => load(path + searchString({ ...start, extraPages: query.extraPages + 1 }))}
        >
          Load more
        </button>
      )}
    </Pager>
  );
}

/**
 * Loads more cards below the current ones and focuses the first new one. The URL holds the number of extra pages, so
 * that Back and reload show as many.
 */
function useLoadMore(shown: number) {
  const navigate = useNavigate();
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (before.current === null || shown <= before.current) return;
    const first = document.querySelectorAll("main article")[before.current];
    before.current = null;
    // The new cards appear where the button was, so do not scroll.
    first?.querySelector<HTMLElement>("h2 a")?.focus({ preventScroll: true });
  }, [shown]);
  return (to: string) => {
    before.current = shown;
    navigate(to, { replace: true, preventScrollReset: true });
  };
}
