import type { AppLoadContext } from "@remix-run/cloudflare";

export function googleIsConfigured({ environment }: AppLoadContext): boolean {
  return environment.GOOGLE_CLIENT_ID !== undefined && environment.GOOGLE_CLIENT_SECRET !== undefined;
}

/** How the login page shows Google's button: without credentials it is disabled, and absent in production. */
export function googleButton(context: AppLoadContext): "enabled" | "disabled" | "absent" {
  if (googleIsConfigured(context)) return "enabled";
  return context.environment.ENVIRONMENT === "local" ? "disabled" : "absent";
}
