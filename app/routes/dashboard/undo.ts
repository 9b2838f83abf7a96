import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { undoMessage, undoRemoval } from "#app/features/moderation/undo.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { safeRedirect } from "#app/server/http/safe-redirect.ts";

// Public: redirects, since this route has no page.
export const loader = () => redirect("/manage");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const outcome = await undoRemoval(context.db, viewer, String(form.get("_id")));
  return redirectWithToast(context, safeRedirect(form.get("redirectTo"), "/manage"), undoMessage(outcome));
});
