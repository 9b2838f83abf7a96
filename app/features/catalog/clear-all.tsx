import { Link } from "#app/ui/link.tsx";
import { type SearchQuery, searchString, withoutFilters } from "./search-query.rules.ts";

/** The id of the text with the number of phones found. */
export const countId = "found";

/** Links to the list without filters, in the same order. */
export function ClearAll({
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
      to={path + searchString(withoutFilters(query))}
      preventScrollReset
      onClick={focusCount}
      className={className}
    >
      Clear all
    </Link>
  );
}

/** Moves the focus to the count, because the pressed link disappears. */
export function focusCount() {
  document.getElementById(countId)?.focus({ preventScroll: true });
}
