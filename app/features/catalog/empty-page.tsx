import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

/**
 * A page with nothing on it, of a list that has other pages.
 *
 * @param firstPage the address of the first page
 */
export function EmptyPage({ firstPage }: { firstPage: string }) {
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title="This page is empty"
      text="The phones on it are no longer listed."
    >
      <Link to={firstPage} className="btn btn-primary">
        Go to the first page
      </Link>
    </EmptyState>
  );
}
