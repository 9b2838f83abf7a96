import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { Pager } from "#app/ui/pager.tsx";
import { maxExtraPages } from "./search/search-limits.rules.ts";
import { type SearchQuery, searchString, withoutCursor } from "./search/search-query.rules.ts";

/**
 * Links to the previous and the next page. With JavaScript a button loads more below instead of the next page, up to a
 * limit; the link to the previous page stays, for those whom a link has led into the middle of the list.
 */
export function ListPager({
  path,
  query,
  start,
  previous,
  next,
  shown,
}: {
  path: string;
  query: SearchQuery;
  /** The cursor that the page follows; null for the first page. */
  start: SearchQuery["cursor"];
  previous: string | null;
  next: string | null;
  shown: number;
}) {
  const hydrated = useHydrated();
  const load = useLoadMore(shown);
  const pathOf = (cursor: SearchQuery["cursor"]) => path + searchString({ ...withoutCursor(query), cursor });
  const more = { ...query, cursor: start, extraPages: query.extraPages + 1 };
  return (
    <Pager
      previous={previous && pathOf({ before: previous })}
      next={next && pathOf({ after: next })}
      more={
        hydrated && query.extraPages < maxExtraPages ? (
          <button
            type="button"
            className="btn flex-1 btn-primary sm:mx-auto sm:max-w-52"
            onClick={() => load(path + searchString(more))}
          >
            Load more
          </button>
        ) : undefined
      }
    />
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
