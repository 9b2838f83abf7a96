import { type AppLoadContext, json, redirect, replace } from "@remix-run/cloudflare";
import { recentLoginMinutes } from "#app/features/accounts/account.rules.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import { may, type Permission } from "#app/features/accounts/permissions.ts";
import {
  findViewer,
  hasSessionEnded,
  isRecentLogin,
  type SignedIn,
} from "#app/features/accounts/sessions.server.ts";
import { isSuspended, type Viewer } from "#app/features/accounts/viewer.ts";
import { hasMySellings } from "#app/features/listings/sellings.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import {
  hasKeepableFields,
  postedTexts,
  type UnsentForm,
  unsentForm,
} from "#app/server/forms/unsent-form.server.ts";
import { hasSessionCookie } from "#app/server/http/cookies.server.ts";
import { type Mutation, mutations } from "#app/server/http/mutations.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { acceptsHtml } from "#app/server/http/request.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";

const noStore = { "Cache-Control": "no-store" };

/** One session lookup for each request, shared by all loaders. */
const lookups = new WeakMap<AppLoadContext, Promise<SignedIn | null>>();

/** Returns the signed-in user and their session from the database, or null. */
export function signedInOf(context: AppLoadContext, request: Request): Promise<SignedIn | null> {
  const lookup = lookups.get(context) ?? findSignedIn(context, request);
  lookups.set(context, lookup);
  return lookup;
}

async function findSignedIn(context: AppLoadContext, request: Request): Promise<SignedIn | null> {
  const sessionId = await sessionIdOf(context, request);
  const viewer = sessionId ? await findViewer(context.db, sessionId) : null;
  return sessionId && viewer ? { viewer, sessionId } : null;
}

/** Returns the signed-in user from the database, or null. */
export async function viewerOf(context: AppLoadContext, request: Request): Promise<Viewer | null> {
  return (await signedInOf(context, request))?.viewer ?? null;
}

/** Like `viewerOf` for public pages: null also while the database is unreachable. */
export function viewerIfReachable(context: AppLoadContext, request: Request): Promise<Viewer | null> {
  return unlessOutage(
    context,
    () => viewerOf(context, request),
    () => null,
  );
}

/** Whether a user is signed in. During a database outage a validly signed session cookie is enough. */
export async function seemsSignedIn(context: AppLoadContext, request: Request): Promise<boolean> {
  return await unlessOutage(
    context,
    async () => (await viewerOf(context, request)) !== null,
    async () => (await sessionIdOf(context, request)) !== undefined,
  );
}

/** The session id in the signed cookie. The session may have ended. */
export async function sessionIdOf(context: AppLoadContext, request: Request): Promise<string | undefined> {
  const session = await context.cookies.session.getSession(request.headers.get("Cookie"));
  return session.get("sessionId");
}

/** Whether the session cookie must be cleared: it is invalid, or its session has ended. */
export async function hasInvalidSession(context: AppLoadContext, request: Request): Promise<boolean> {
  if (!hasSessionCookie(request) || (await viewerIfReachable(context, request))) return false;
  const sessionId = await sessionIdOf(context, request);
  if (!sessionId) return true;
  return unlessOutage(
    context,
    () => hasSessionEnded(context.db, sessionId),
    () => false,
  );
}

/** Whether the user logged in within the last minutes, as sensitive actions require. */
export async function hasJustLoggedIn(context: AppLoadContext, request: Request): Promise<boolean> {
  const sessionId = await sessionIdOf(context, request);
  return sessionId !== undefined && isRecentLogin(context.db, sessionId, recentLoginMinutes);
}

/**
 * Returns the signed-in user.
 *
 * @param mutation what the user is about to do, if suspended accounts may not
 * @throws Response that redirects to the login page, or 401 with a form to submit again; for a suspended account, one
 *   that redirects to the reason, or 403 with the form
 */
export async function requireUser(
  context: AppLoadContext,
  request: Request,
  mutation?: Mutation,
): Promise<Viewer> {
  const { viewer } = await requireSession(context, request);
  const message = mutation && suspensionRefusal(viewer, mutation);
  if (!message) return viewer;
  const suspensionPath = `/manage/decisions/${viewer.suspensionId}`;
  const unsent = await unsentFormOf(context, request);
  if (unsent) throw json({ unsent, suspensionPath }, { status: 403, headers: noStore });
  throw await redirectWithToast(context, suspensionPath, { kind: "error", message });
}

/** Like `requireUser`, with the session id. */
export async function requireSession(context: AppLoadContext, request: Request): Promise<SignedIn> {
  const signedIn = await signedInOf(context, request);
  if (signedIn) return signedIn;
  // Remix's own requests accept anything; with JavaScript, `FormDraft` keeps the form.
  const unsent = acceptsHtml(request) ? await unsentFormOf(context, request) : null;
  throw unsent ? json({ unsent }, { status: 401, headers: noStore }) : toLogin(request);
}

/** Like `requireUser`, and redirects users without the permission too. */
export async function requirePermission(
  context: AppLoadContext,
  request: Request,
  permission: Permission,
): Promise<Viewer> {
  const viewer = await requireUser(context, request);
  if (may(viewer, permission)) return viewer;
  logWarning("access denied", `may not ${permission}`, context.reference);
  throw toLogin(request);
}

/**
 * Like `requireUser`, and redirects buyers without a listing or draft too.
 *
 * @param message why they have to list a device first, where that is what they can do; else they are told to log in
 */
export async function requireMySellings(
  context: AppLoadContext,
  request: Request,
  message?: string | false,
): Promise<Viewer> {
  const viewer = await requireUser(context, request);
  if (await hasMySellings(context.db, viewer)) return viewer;
  if (message) throw await redirectWithToast(context, "/addphone", { kind: "error", message });
  logWarning("access denied", "no listings", context.reference);
  throw toLogin(request);
}

/** A form, and who posted it. */
export interface PostedForm {
  context: AppLoadContext;
  request: Request;
  viewer: Viewer;
  form: FormData;
}

/**
 * Why a form must not be processed, or null: it was rendered for another account, the account is suspended, or there were
 * too many attempts.
 */
export async function formRefusal(
  { context, request, viewer, form }: PostedForm,
  mutation: Mutation,
): Promise<FormRefusal | null> {
  const otherAccount = accountChangeRefusal(form, viewer);
  if (otherAccount) return otherAccount;
  const suspended = suspensionRefusal(viewer, mutation);
  if (suspended) return { status: 403, formErrors: [suspended] };
  return rateLimitRefusal(context, mutation, request);
}

/**
 * Why a form must not be processed that was rendered for another account: the user has changed accounts in another tab
 * since then. Null if the form is for the signed-in account, or does not say.
 */
export function accountChangeRefusal(form: FormData, viewer: Viewer): FormRefusal | null {
  const renderedFor = form.get("account");
  if (typeof renderedFor !== "string" || isSameEmail(renderedFor, viewer.email)) return null;
  return {
    status: 409,
    formErrors: [`You’re now logged in as ${viewer.email}. Check the form and submit it again.`],
  };
}

/** What pages refuse where nothing else names it. */
const pageActs: Partial<Record<Mutation, string>> = {
  message: "send messages",
  review: "write reviews",
  "change address": "change your email address",
};

/** Why a suspended account may not do this; null if it may. Pages and the API ask here. */
export function suspensionRefusal(viewer: Viewer, mutation: Mutation): string | null {
  if (mutations[mutation].whileSuspended === "allowed" || !isSuspended(viewer)) return null;
  return `You can’t ${pageActs[mutation] ?? "do this"} while your account is suspended.`;
}

/**
 * The posted form, since a redirect would lose it; null if nothing was typed, or if the form was not rendered for an
 * account.
 */
async function unsentFormOf(context: AppLoadContext, request: Request): Promise<UnsentForm | null> {
  if (request.method !== "POST" || !hasKeepableFields(context, request)) return null;
  const posted = await postedTexts(request.clone());
  if (!posted.has("account")) return null;
  const unsent = unsentForm(request.url, posted);
  return unsent && unsent.entered.length > 0 ? unsent : null;
}

/**
 * Redirects to the login page. If the browser is on the guarded page already, the redirect replaces its history
 * entry: Back from the login page would otherwise run into the guard again.
 */
function toLogin(request: Request): Response {
  const { pathname } = new URL(request.url);
  const login = `/login?${new URLSearchParams({ redirectTo: pathAndQuery(request) })}`;
  const referrer = request.headers.get("Referer");
  const isOnPage = referrer !== null && URL.canParse(referrer) && new URL(referrer).pathname === pathname;
  return isOnPage ? replace(login) : redirect(login);
}
