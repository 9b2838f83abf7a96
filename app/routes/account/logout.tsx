import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { sessionIdOf } from "#app/auth/guard.server.ts";
import { logoutHeaders } from "#app/auth/start-session.server.ts";
import { closeSession } from "#app/features/accounts/sessions.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

// Public: redirects, since this route has no page.
export const loader = () => redirect("/");

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: ends the request's own session, if any. During an outage the session goes on, so its cookie stays.
  const sessionId = await sessionIdOf(context, request);
  if (sessionId) await closeSession(context.db, sessionId);
  return redirect("/", { status: 303, headers: await logoutHeaders(context) });
});

/** Never shown: it lets the error page show. */
export default function Logout() {
  return null;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
