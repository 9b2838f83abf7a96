import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireRole } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import { exportTable } from "#app/features/moderation/table-exports.server.ts";
import { redirectRefused } from "#app/server/forms/flash.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { normalizePath } from "#app/server/http/paths.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { streamText } from "#app/server/http/text-stream.server.ts";

export const loader = withOutageRedirect(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireRole(context, request, "Admin");
  const { pathname, search, searchParams } = new URL(request.url);
  const page = normalizePath(pathname).replace(/\.csv$/, "");
  if (!(await withinLimit(context, "export data", request))) {
    return redirectRefused(context, page + search, overLimit("export data"));
  }
  const name = page.slice("/manage/".length);
  const date = new Date().toISOString().slice(0, 10);
  return new Response(await streamText(exportTable(context.db, viewer, name, searchParams)), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${brand.name.toLowerCase()}-${name}-${date}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
});
