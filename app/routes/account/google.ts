import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { googleIsConfigured } from "#app/auth/google-settings.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutageRedirect } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

// Public: the button is on the login page. The query holds `redirectTo`.
export const loader = ({ request }: LoaderFunctionArgs) => redirect(loginPath(request));

export const action = withOutageRedirect(async ({ request, context }: ActionFunctionArgs) => {
  // Public: sign-in with Google. It stores nothing until the callback, so it has no rate limit.
  if (!googleIsConfigured(context)) return redirect(loginPath(request), 303);
  // Loaded on demand: few requests need it.
  const { redirectToGoogle } = await import("#app/auth/google-strategy.server.ts");
  return redirectToGoogle(context, request);
});

function loginPath(request: Request): string {
  return `/login${new URL(request.url).search}`;
}
