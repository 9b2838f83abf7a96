import { redirect } from "@remix-run/cloudflare";

// Public: sign-in with Google is not configured, and its failures are silent by specification.
export const loader = () => redirect("/login");
export const action = () => redirect("/login", 303);
