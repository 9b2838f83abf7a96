import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon, SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { appliedFilters } from "./applied-filters.rules.ts";
import { crossedRange } from "./price-range.tsx";
import { firstPage, isCrossed, type SearchQuery, searchString } from "./search-query.rules.ts";
import { ClearAll } from "./search-summary.tsx";

/** A list, or a page of it, with nothing on it. */
export function EmptyList({ path, query, count }: { path: string; query: SearchQuery; count: number }) {
  const icon = <PhoneIcon className="size-10" />;
  if (count > 0 || query.mark) {
    return (
      <EmptyState
        icon={icon}
        title="No more phones here"
        text="What stood on this page has moved on. Start again from the first page."
      >
        <Link to={path + searchString(firstPage(query))} className="btn btn-primary">
          Start again
        </Link>
      </EmptyState>
    );
  }
  const filters = appliedFilters(query).map(({ label }) => label);
  if (filters.length > 0) {
    const together = filters.length > 1 ? "all of these at once" : "this";
    return (
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        title="No phone matches"
        text={isCrossed(query) ? crossedRange : `Nothing here is ${together}: ${filters.join(", ")}.`}
      >
        <ClearAll path={path} query={query} className="btn btn-primary" />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={icon}
      title="Nothing on this shelf right now"
      text="New devices come in every day. Look at the other shelves, or be the first to sell one here."
    >
      {path !== "/products" && (
        <Link to="/products" className="btn btn-primary">
          See all products
        </Link>
      )}
      <Link to="/addphone" className="btn btn-outline">
        Sell a device
      </Link>
    </EmptyState>
  );
}
