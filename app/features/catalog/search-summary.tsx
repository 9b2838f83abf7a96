import { useLocation } from "@remix-run/react";
import { useContext } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { IsSearchSavedContext, savedSearchAnchor } from "../saved-listings/saved-states.ts";
import type { AnswerPage } from "./answer-pages.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import { type Category, foundLabel } from "./category.rules.ts";
import {
  queryWithoutFilters,
  type SearchQuery,
  searchString,
  unreadParameters,
  withoutCursor,
} from "./search/search-query.rules.ts";

/** @param typedPath the list of the address; typed words may have led to another one */
export function SearchSummary({
  category: { path, noun, name },
  typedPath,
  query,
  count,
  corrected,
  notes,
  pages,
  saveSearchPath,
}: {
  category: Category;
  typedPath: string;
  query: SearchQuery;
  count: number;
  corrected: string | null;
  /** What is said of the typed words. */
  notes: string[];
  pages: Pick<AnswerPage, "path" | "label">[];
  saveSearchPath: string;
}) {
  const filters = appliedFilters(query, corrected).map(({ label, without }) => ({
    label,
    to: path + searchString(without),
  }));
  if (path !== "/products" && (filters.length > 0 || path !== typedPath)) {
    filters.unshift({ label: name, to: `/products${searchString(withoutCursor(query))}` });
  }
  // On a handset they fill about two lines.
  const isLong = filters.reduce((width, { label }) => width + label.length * 7 + 56, 0) > 620;
  // Then `EmptyList` has the buttons.
  const isEmpty = count === 0 && !query.cursor;
  // The filters are closed on a handset.
  const texts = [...unreadParameters(query).map(({ text }) => `${text}.`), ...notes];
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 lg:col-start-2 lg:row-start-1 lg:mb-3">
      {corrected !== null && (
        <p className="mb-2 flex w-full flex-wrap items-baseline gap-x-4 gap-y-1 wrap-anywhere">
          <span className="min-w-0">
            {isEmpty ? "We searched for " : "Showing results for "}
            <strong className="font-semibold">{`"${corrected}"`}</strong>
          </span>
          <Link
            to={path + searchString({ ...withoutCursor(query), exact: true })}
            preventScrollReset
            onClick={focusCount}
            className="link min-w-0 text-sm underline-offset-4"
          >
            {`Search instead for "${query.words}"`}
          </Link>
        </p>
      )}
      {[...new Map(pages.map((page) => [page.path, page])).values()].map(({ path, label }) => (
        <p key={path} className="mb-2 w-full">
          Looking for this?{" "}
          <Link to={path} className="link font-semibold underline-offset-4">
            {label}
          </Link>
        </p>
      ))}
      {texts.length > 0 && <p className="mb-2 w-full wrap-anywhere">{texts.join(" ")}</p>}
      <p id={countId} role="status" tabIndex={-1} className="mr-2 font-medium tabular-nums max-sm:w-full">
        {foundLabel(count, noun)}
      </p>
      {filters.length > 0 && (
        <>
          <ul
            aria-label="Applied filters"
            className={`flex flex-wrap gap-2 sm:contents ${isLong ? "chips-folded" : ""}`}
          >
            {filters.map(({ label, to }) => (
              <li key={label} className="max-w-full">
                <Link
                  to={to}
                  preventScrollReset
                  onClick={focusCount}
                  aria-label={`Remove ${label}`}
                  className="flex min-h-9 items-center gap-1.5 rounded-full border border-base-300 bg-base-200 py-1 pr-2.5 pl-3.5 text-sm font-medium hover:border-primary hover:text-primary"
                >
                  <span className="min-w-0 wrap-anywhere">{label}</span>
                  <CloseIcon className="size-4 shrink-0" />
                </Link>
              </li>
            ))}
          </ul>
          {isLong && (
            <details className="group sm:hidden">
              <summary className="btn btn-ghost btn-sm">
                <span className="group-open:hidden">{`Show all ${filters.length}`}</span>
                <span className="hidden group-open:inline">Show fewer</span>
              </summary>
            </details>
          )}
          {!isEmpty && (
            <>
              <ClearFiltersLink path={path} query={query} className="btn btn-ghost btn-sm" />
              <SaveSearch to={saveSearchPath} />
            </>
          )}
        </>
      )}
    </div>
  );
}

/** The list is the same for all visitors: the address tells that its search has just been saved, and a script asks. */
function SaveSearch({ to }: { to: string }) {
  const hydrated = useHydrated();
  const { hash } = useLocation();
  const isKnown = useContext(IsSearchSavedContext);
  const isSaved = isKnown || (hydrated && hash === `#${savedSearchAnchor}`);
  return (
    <Link to={to} id={savedSearchAnchor} rel="nofollow" className="save-search btn btn-outline btn-sm">
      {isSaved ? "Search saved" : <span>Save this search</span>}
    </Link>
  );
}

const countId = "found";

export function ClearFiltersLink({
  path,
  query,
  className,
}: {
  path: string;
  query: SearchQuery;
  className: string;
}) {
  return (
    <Link
      to={path + searchString(queryWithoutFilters(query))}
      preventScrollReset
      onClick={focusCount}
      className={className}
    >
      Clear all
    </Link>
  );
}

/** Moves the focus to the count, because the pressed link disappears. */
function focusCount() {
  document.getElementById(countId)?.focus({ preventScroll: true });
}
