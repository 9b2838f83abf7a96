import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectRefused } from "#app/server/forms/flash.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { streamText } from "#app/server/http/responses.server.ts";

export const handle: RouteHandle = { access: "signed in" };

// Public: the button is on the page of the data.
export const loader = () => redirect("/manage/account/data");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const limitRefusal = await rateLimitRefusal(context, "export data", request);
  if (limitRefusal) return redirectRefused(context, "/manage/account/data", limitRefusal);
  // Loaded on demand: few requests need it.
  const { exportAccountData } = await import("#app/features/profile/account-data.server.ts");
  return new Response(await streamText(exportAccountData(context.db, viewer)), {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="${brand.name.toLowerCase()}-my-data.json"`,
      "Cache-Control": "private, no-store",
    },
  });
});
