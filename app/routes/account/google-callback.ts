import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { reportCredentialChange } from "#app/auth/account-emails.server.ts";
import { googleIsConfigured } from "#app/auth/google-settings.server.ts";
import { signUpAddressHash } from "#app/auth/handle-sign-up.server.ts";
import { startSessionAndRedirect } from "#app/auth/start-session.server.ts";
import { findAgreement } from "#app/features/pages/pages.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { logWarning } from "#app/server/logging/log.server.ts";

export const handle: RouteHandle = { access: "anyone" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public: Google redirects here. The state and the code are verified.
  if (!googleIsConfigured(context)) return redirect("/login");
  // Loaded on demand: few requests need it.
  const { fetchGoogleProfile, takeSignInAttempt } = await import("#app/auth/google-strategy.server.ts");
  const { findOrCreateGoogleAccount } = await import("#app/features/accounts/google.server.ts");
  const { attempt, headers } = await takeSignInAttempt(context, request);
  const redirectTo = safeRedirect(attempt.redirectTo);
  const found = await fetchGoogleProfile(context, request, attempt);
  const account =
    "person" in found
      ? await findOrCreateGoogleAccount(context.db, found.person, {
          agreement: await findAgreement(context.db),
          addressHash: await signUpAddressHash(context, request),
        })
      : found;
  if ("viewer" in account) {
    if (account.isLinked) reportCredentialChange(context, account.viewer.email, "Google linked");
    const greeting = `${account.viewer.email} Log in Successful`;
    const login = { method: "Google", greeting, redirectTo, headers } as const;
    return startSessionAndRedirect(context, request, account.viewer, login);
  }
  // The specification requires that a failure shows no message.
  const reason = "refusal" in account ? account.refusal : account.failure;
  logWarning("sign-in with Google failed", reason, context.reference);
  const query = redirectTo === "/" ? "" : `?${new URLSearchParams({ redirectTo })}`;
  return redirect(`/login${query}`, { headers });
});
