import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

// Public: sign-in with Google is not configured, and its failures are silent by specification. The query, which
// says where the visitor was going, comes back along.
const backToLogin = ({ request }: LoaderFunctionArgs) =>
  redirect(`/login${new URL(request.url).search}`, 303);

export const loader = backToLogin;
export const action = backToLogin;
