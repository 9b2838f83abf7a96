import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { sendVerificationEmail } from "#app/auth/account-emails.server.ts";
import { requireUser } from "#app/auth/guard.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectRefused, redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";

const toasts: Record<Awaited<ReturnType<typeof sendVerificationEmail>>, Toast> = {
  sent: { kind: "success", message: "Check your email: we’ve sent you a link to confirm your address." },
  verified: { kind: "success", message: "You’ve already confirmed your email address." },
  "rate limited": {
    kind: "error",
    message: "We’ve just sent you several emails. Use the link in the newest one.",
  },
};

export const handle: RouteHandle = { access: "signed in" };

// Public: redirects, since this route has no page.
export const loader = () => redirect("/manage/account");

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const back = safeRedirect(form.get("redirectTo"), "/manage/account");
  const limitRefusal = await rateLimitRefusal(context, "change account", request);
  if (limitRefusal) return redirectRefused(context, back, limitRefusal);
  const outcome = await sendVerificationEmail(context, viewer);
  return redirectWithToast(context, back, toasts[outcome]);
});
