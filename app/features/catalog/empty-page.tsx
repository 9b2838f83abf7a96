import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

export function EmptyPage({ firstPage }: { firstPage: string }) {
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title="These listings are gone"
      text="They have been sold or taken down."
    >
      <Link to={firstPage} className="btn btn-primary">
        Go to the first page
      </Link>
    </EmptyState>
  );
}
