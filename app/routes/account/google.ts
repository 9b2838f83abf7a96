import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { googleIsConfigured, leaveForGoogle } from "#app/auth/google-sign-in.server.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";

// Public: the button is on the login page. The query holds `redirectTo`.
export const loader = ({ request }: LoaderFunctionArgs) => redirect(loginWithQueryOf(request));

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  // Public: sign-in with Google.
  if (!googleIsConfigured(context)) return redirect(loginWithQueryOf(request), 303);
  return leaveForGoogle(context, request);
});

function loginWithQueryOf(request: Request): string {
  return `/login${new URL(request.url).search}`;
}
