import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMySellings } from "#app/auth/guard.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { ownCsv } from "../own-csv.server.ts";

export const handle: RouteHandle = { access: "my sellings" };

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  return ownCsv({ context, request }, "my-listings", async () => {
    const { exportOwnListings } = await import("#app/features/listings/import/listing-file.server.ts");
    return exportOwnListings(context.db, viewer);
  });
});
