import type { AppLoadContext, TypedResponse } from "@remix-run/cloudflare";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { sessionSeconds } from "#app/platform/cookies.server.ts";
import { redirectWithToast } from "#app/platform/flash.server.ts";
import { safeRedirect } from "#app/platform/safe-redirect.ts";
import { sessionIdOf } from "../guard.server.ts";

/** Opens a session for an account, in place of the one the browser had; the `Set-Cookie` line that says so. */
export async function startSession(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
): Promise<string> {
  const session = await context.cookies.session.getSession(request.headers.get("Cookie"));
  const sessionId = await openSession(context.db, viewer.id, {
    seconds: sessionSeconds,
    previous: await sessionIdOf(context, request),
  });
  session.set("sessionId", sessionId);
  return context.cookies.session.commitSession(session);
}

/**
 * Opens a session for an account and leads it to where it wanted to go, with the specified greeting.
 *
 * @param how.greeting by default the specification's wording for a login as for a sign-up
 * @param how.redirectTo where to, when the address asked for does not say so itself
 * @param how.headers may carry further cookies
 */
export async function enter(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  {
    greeting = `${viewer.email} account created`,
    redirectTo = new URL(request.url).searchParams.get("redirectTo"),
    headers = new Headers(),
  }: { greeting?: string; redirectTo?: string | null; headers?: Headers } = {},
): Promise<TypedResponse<never>> {
  headers.append("Set-Cookie", await startSession(context, request, viewer));
  const toast = { kind: "success", message: greeting } as const;
  return redirectWithToast(context, safeRedirect(redirectTo), toast, headers);
}
