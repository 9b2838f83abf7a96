import type { AppLoadContext, TypedResponse } from "@remix-run/cloudflare";
import { AccountChangedError, type NewSession, openSession } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { savedMessage, saveRefusals } from "#app/features/saved-listings/saved-listing.rules.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { sessionSeconds } from "#app/server/http/cookies.server.ts";
import { deviceOf } from "#app/server/http/device.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { logSecurityEvent } from "#app/server/logging/log.server.ts";
import { sessionIdOf } from "./guard.server.ts";
import { knownDeviceCookie } from "./known-device.server.ts";

/** How somebody has logged in. */
type LoginMethod = "password" | "passkey" | "Google" | "sign-up";

/** A session for the browser of a request, in place of its previous one. */
export async function newSession(
  context: AppLoadContext,
  request: Request,
): Promise<NewSession & { id: string }> {
  return {
    id: randomToken(),
    seconds: sessionSeconds,
    previous: await sessionIdOf(context, request),
    device: deviceOf(request),
  };
}

/**
 * Starts a session for an account, replaces the browser's previous one and adds the cookies to `headers`.
 *
 * @param opened the id of the session, if it is open already
 * @throws Response that redirects to the login page, if the account has just been removed or logged out everywhere
 */
export async function startSession(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  { method, headers, opened }: { method: LoginMethod; headers: Headers; opened?: string },
): Promise<void> {
  const session = await context.cookies.session.getSession(request.headers.get("Cookie"));
  const sessionId = opened ?? (await openBrowserSession(context, request, viewer));
  session.set("sessionId", sessionId);
  headers.append("Set-Cookie", await context.cookies.session.commitSession(session));
  headers.append("Set-Cookie", await knownDeviceCookie(context, request, viewer.email));
  logSecurityEvent("login", method, context.reference);
}

async function openBrowserSession(context: AppLoadContext, request: Request, viewer: Viewer) {
  const session = await newSession(context, request);
  return openSession(context.db, viewer, session).catch(async (error) => {
    if (!(error instanceof AccountChangedError)) throw error;
    const message = "Your account has just changed. Log in again.";
    throw await redirectWithToast(context, "/login", { kind: "error", message });
  });
}

/** Creates headers that set the cookie to a new session id. */
export async function sessionCookieOf(
  { cookies }: AppLoadContext,
  request: Request,
  sessionId: string,
): Promise<Headers> {
  const session = await cookies.session.getSession(request.headers.get("Cookie"));
  session.set("sessionId", sessionId);
  return new Headers({ "Set-Cookie": await cookies.session.commitSession(session) });
}

/** Creates headers that clear the session cookie. */
export async function clearedSessionCookie({ cookies }: AppLoadContext): Promise<Headers> {
  const session = await cookies.session.getSession();
  return new Headers({ "Set-Cookie": await cookies.session.destroySession(session) });
}

/** The headers of a logout: they clear the cookies of session and toast, and what the browser has stored for its user. */
export async function logoutHeaders(context: AppLoadContext): Promise<Headers> {
  const headers = await clearedSessionCookie(context);
  headers.append("Set-Cookie", await context.cookies.flash.serialize("", { maxAge: 0 }));
  headers.set("Clear-Site-Data", '"storage"');
  return headers;
}

/** Starts a session and redirects with a toast, by default the specification's for both login and sign-up. */
export async function startSessionAndRedirect(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  {
    method,
    greeting = `${viewer.email} account created`,
    redirectTo = new URL(request.url).searchParams.get("redirectTo"),
    headers = new Headers(),
    opened,
  }: {
    method: LoginMethod;
    greeting?: string;
    redirectTo?: string | null;
    headers?: Headers;
    opened?: string;
  },
): Promise<TypedResponse<never>> {
  await startSession(context, request, viewer, { method, headers, opened });
  const message = await saveWantedListing(context, request, viewer, headers);
  const toast = { kind: "success", message: message ? `${greeting}. ${message}` : greeting } as const;
  return redirectWithToast(context, safeRedirect(redirectTo), toast, headers);
}

/**
 * Saves the listing that the visitor wanted to save before this login, and returns a message about it. An outage leaves
 * it for the next login: the session is open.
 */
async function saveWantedListing(
  context: AppLoadContext,
  request: Request,
  viewer: Viewer,
  headers: Headers,
): Promise<string | null> {
  const { cookies, db } = context;
  const phoneId: unknown = await cookies.save.parse(request.headers.get("Cookie"));
  if (typeof phoneId !== "string") return null;
  const outcome = await unlessOutage(
    context,
    () => saveListing(db, viewer, phoneId),
    () => null,
  );
  if (!outcome) return null;
  headers.append("Set-Cookie", await cookies.save.serialize("", { maxAge: 0 }));
  return outcome in saveRefusals ? saveRefusals[outcome as keyof typeof saveRefusals] : savedMessage;
}
