import { EmptyState } from "./empty-state.tsx";
import { SearchIcon } from "./icons.tsx";
import { Link } from "./link.tsx";

/** A page of a list or table that has no rows any more. */
export function EmptyPage({ firstPage }: { firstPage: string }) {
  return (
    <EmptyState
      icon={<SearchIcon className="size-10" />}
      title="This page is empty"
      text="What it showed is no longer here."
    >
      <Link to={firstPage} className="btn btn-primary">
        Go to the first page
      </Link>
    </EmptyState>
  );
}
