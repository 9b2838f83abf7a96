import { Link } from "#app/ui/link.tsx";
import { type SearchQuery, searchString, withoutFilters } from "./search/search-query.rules.ts";

export const countId = "found";

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
