import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { undoMessage, undoRemoval } from "#app/features/moderation/undo.server.ts";
import { redirectRefused, redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { overLimit, withinLimit } from "#app/server/http/rate-limits.server.ts";
import { safeRedirect } from "#app/server/http/safe-redirect.ts";

// Public: redirects, since this route has no page.
export const loader = () => redirect("/manage");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const back = safeRedirect(form.get("redirectTo"), "/manage");
  if (!(await withinLimit(context, "undo deletion", request))) {
    return redirectRefused(context, back, overLimit("undo deletion"));
  }
  const outcome = await undoRemoval(context.db, viewer, String(form.get("_id")));
  return redirectWithToast(context, back, undoMessage(outcome));
});
