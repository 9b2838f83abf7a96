import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { undoMessage } from "#app/features/bookings/undo.rules.ts";
import { undoRemoval } from "#app/features/bookings/undo.server.ts";
import { redirectWithToast } from "#app/platform/flash.server.ts";
import { readForm } from "#app/platform/forms.server.ts";
import { withOutageRedirect } from "#app/platform/outage.server.ts";
import { safeRedirect } from "#app/platform/safe-redirect.ts";
import { requireUser } from "../guard.server.ts";

// Public: whoever comes here by hand has nothing to see.
export const loader = () => redirect("/manage");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const outcome = await undoRemoval(context.db, viewer, String(form.get("_id")));
  return redirectWithToast(context, safeRedirect(form.get("redirectTo"), "/manage"), undoMessage(outcome));
});
