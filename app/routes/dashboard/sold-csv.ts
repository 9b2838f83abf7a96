import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { parseNumbersQuery } from "#app/features/statistics/numbers.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { ownCsv } from "../own-csv.server.ts";

export const handle: RouteHandle = { access: "my sellings" };

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  return ownCsv({ context, request }, "sold", async () => {
    const { exportSales } = await import("#app/features/statistics/seller-numbers.server.ts");
    const { days } = parseNumbersQuery(new URL(request.url).searchParams);
    return exportSales(context.db, viewer, days);
  });
});
