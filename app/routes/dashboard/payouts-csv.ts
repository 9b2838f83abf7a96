import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { payoutTable } from "#app/features/payments/payout-table.rules.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { parseTableQuery } from "#app/server/forms/table-query.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { ownCsv } from "../own-csv.server.ts";

export const handle: RouteHandle = { access: "my sellings" };

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  if (!hasProvider(context.environment)) throw notFound();
  return ownCsv({ context, request }, "payouts", async () => {
    const { exportPayouts } = await import("#app/features/statistics/seller-numbers.server.ts");
    const query = parseTableQuery(payoutTable, new URL(request.url).searchParams);
    return exportPayouts(context.db, viewer, query);
  });
});
