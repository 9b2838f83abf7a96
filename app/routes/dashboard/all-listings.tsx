import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { ListingTable } from "#app/features/administration/listing-table.tsx";
import { listingTable } from "#app/features/listings/listing-table.rules.ts";
import { listAllListings } from "#app/features/listings/listing-tables.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon } from "#app/ui/icons.tsx";
import { handleRemoveListing, tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("All listings");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, "manage listings");
  const { cursor, query } = tableQuery(listingTable, request);
  return { viewerId: viewer.id, query, listings: await listAllListings(context.db, cursor, query) };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, "manage listings");
  return handleRemoveListing(context, request, viewer);
});

export default function AllListings() {
  const { viewerId, query, listings } = useLoaderData<typeof loader>();
  return (
    <ListingTable
      title="All listings"
      filters={{ table: listingTable, query }}
      listings={listings}
      viewerId={viewerId}
      empty={
        <EmptyState
          icon={<PhoneIcon className="size-10" />}
          title="No listings yet"
          text="Every seller’s listings show up here."
        />
      }
    />
  );
}
