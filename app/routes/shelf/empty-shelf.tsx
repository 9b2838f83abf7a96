import { Link } from "@remix-run/react";
import type { Shelf } from "#app/features/phones/shelf.rules.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";

/** A list, or a page of it, with nothing on it. */
export function EmptyShelf({ shelf, firstPage }: { shelf: Pick<Shelf, "path">; firstPage: boolean }) {
  const icon = <PhoneIcon className="size-10" />;
  if (!firstPage) {
    return (
      <EmptyState
        icon={icon}
        title="No more phones here"
        text="What stood on this page has moved on. Start again from the newest."
      >
        <Link to={shelf.path} className="btn btn-primary">
          Start again
        </Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={icon}
      title="Nothing on this shelf right now"
      text="New devices come in every day. Look at the other shelves, or be the first to sell one here."
    >
      {shelf.path !== "/products" && (
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
