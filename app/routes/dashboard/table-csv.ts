import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requirePermission } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { normalizePath } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { plainText, streamText } from "#app/server/http/responses.server.ts";

export const handle = { access: "export tables" } satisfies RouteHandle;

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { pathname, searchParams } = new URL(request.url);
  const refusal = await rateLimitRefusal(context, "export data", request);
  if (refusal) {
    const { formErrors = [], retryAfter } = refusal;
    // Not a redirect to the table's page, which a script would store as the table.
    return plainText(429, formErrors.join(" "), { "Retry-After": String(retryAfter) });
  }
  const name = normalizePath(pathname)
    .slice("/manage/".length)
    .replace(/\.csv$/, "");
  // Loaded on demand: few requests need it.
  const { exportRefusal, exportTable } = await import("#app/features/administration/table-exports.server.ts");
  const unread = exportRefusal(name, searchParams);
  if (unread) return plainText(400, unread);
  const date = new Date().toISOString().slice(0, 10);
  return new Response(await streamText(exportTable(context.db, viewer, name, searchParams)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${brand.name.toLowerCase()}-${name}-${date}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
});
