import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMySellings } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { plainText, streamText } from "#app/server/http/responses.server.ts";

export const handle: RouteHandle = { access: "my sellings" };

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request);
  const refusal = await rateLimitRefusal(context, "export data", request);
  if (refusal) {
    const { formErrors = [], retryAfter } = refusal;
    return plainText(429, formErrors.join(" "), { "Retry-After": String(retryAfter) });
  }
  const { exportOwnListings } = await import("#app/features/listings/import/listing-file.server.ts");
  const date = new Date().toISOString().slice(0, 10);
  return new Response(await streamText(exportOwnListings(context.db, viewer)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${brand.name.toLowerCase()}-my-listings-${date}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
});
