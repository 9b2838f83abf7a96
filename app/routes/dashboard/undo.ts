import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { maxSelectedRows } from "#app/features/administration/bulk.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectRefused, redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

export const handle: RouteHandle = { access: "signed in" };

// Public: redirects, since this route has no page.
export const loader = () => redirect("/manage");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "undo deletion");
  const form = await readForm(request);
  const back = safeRedirect(form.get("redirectTo"), "/manage");
  const limitRefusal = await rateLimitRefusal(context, "undo deletion", request);
  if (limitRefusal) return redirectRefused(context, back, limitRefusal);
  const removalIds = String(form.get("_id")).split(",").slice(0, maxSelectedRows);
  // Loaded on demand: few requests need it.
  const { undoRemovals } = await import("#app/features/administration/undo.server.ts");
  const toast = await undoRemovals(context.db, viewer, removalIds, context.environment);
  return redirectWithToast(context, back, toast);
});
