import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requirePermission } from "#app/auth/guard.server.ts";
import { parseNumbersQuery } from "#app/features/statistics/numbers.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { ownCsv } from "../own-csv.server.ts";

export const handle = { access: "see numbers" } satisfies RouteHandle;

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  const query = parseNumbersQuery(new URL(request.url).searchParams);
  return ownCsv({ context, request }, "numbers", async () => {
    const { exportNumbers } = await import("#app/features/statistics/numbers.server.ts");
    return exportNumbers(context.db, query);
  });
});
