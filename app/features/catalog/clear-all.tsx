import { Link } from "#app/ui/link.tsx";
import { type SearchQuery, searchString, withoutFilters } from "./search-query.rules.ts";

/** The id of the text that says how many phones were found. */
export const countId = "found";

/** Leads to the whole category, in the order that was asked for. */
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

/** Moves the focus to the count before the pressed link disappears. */
export function focusCount() {
  document.getElementById(countId)?.focus({ preventScroll: true });
}
