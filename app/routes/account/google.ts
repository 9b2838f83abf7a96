import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

// Public: sign-in with Google is not configured, and its failures are silent by specification. The query, which
// says where the visitor was going, comes back along.
export const loader = ({ request }: LoaderFunctionArgs) => redirect(loginWithQueryOf(request));
export const action = ({ request }: LoaderFunctionArgs) => redirect(loginWithQueryOf(request), 303);

function loginWithQueryOf(request: Request): string {
  return `/login${new URL(request.url).search}`;
}
