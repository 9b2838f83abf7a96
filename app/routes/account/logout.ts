import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { sessionIdOf } from "#app/auth/guard.server.ts";
import { logoutHeaders } from "#app/auth/start-session.server.ts";
import { closeSession } from "#app/features/accounts/sessions.server.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";

const onlyHere: Toast = {
  kind: "error",
  message:
    "You’re logged out in this browser, but our server still has your session. Log in and end it under My account.",
};

// Public: redirects, since this route has no page.
export const loader = () => redirect("/");

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: ends the request's own session, if any.
  const sessionId = await sessionIdOf(context, request);
  const headers = await logoutHeaders(context);
  const work = async () => {
    if (sessionId) await closeSession(context.db, sessionId);
    return redirect("/", { status: 303, headers });
  };
  // During an outage the session goes on, but its cookie is cleared.
  return unlessOutage(context, work, () => redirectWithToast(context, "/", onlyHere, headers));
}
