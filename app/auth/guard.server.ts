import { type AppLoadContext, redirect, replace } from "@remix-run/cloudflare";
import type { Role } from "#app/db/values.ts";
import { findViewer, hasSessionEnded, isRecentLogIn } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { bringsSession } from "#app/server/http/cookies.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";

/** A signed-in user and their session. */
interface SignedIn {
  viewer: Viewer;
  sessionId: string;
}

/** One session lookup per request, shared by all loaders. */
const lookups = new WeakMap<AppLoadContext, Promise<SignedIn | null>>();

/** The signed-in user and their session, read from the database; null when nobody is signed in. */
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

/** The signed-in user, read from the database; null when nobody is signed in. */
export async function viewerOf(context: AppLoadContext, request: Request): Promise<Viewer | null> {
  return (await signedInOf(context, request))?.viewer ?? null;
}

/** Like `viewerOf`, for public pages: also null while the database is unreachable. */
export function viewerIfReachable(context: AppLoadContext, request: Request): Promise<Viewer | null> {
  return unlessOutage(
    context,
    () => viewerOf(context, request),
    () => null,
  );
}

/** Whether a user is signed in. While the database is unreachable, a valid session cookie is enough. */
export async function seemsSignedIn(context: AppLoadContext, request: Request): Promise<boolean> {
  return await unlessOutage(
    context,
    async () => (await viewerOf(context, request)) !== null,
    async () => (await sessionIdOf(context, request)) !== undefined,
  );
}

/** The session id in the signed cookie. The session itself may have ended. */
export async function sessionIdOf(context: AppLoadContext, request: Request): Promise<string | undefined> {
  const session = await context.cookies.session.getSession(request.headers.get("Cookie"));
  return session.get("sessionId");
}

/**
 * Whether the browser sends a session cookie that is invalid, or whose session has ended. Such a cookie would keep
 * the browser from cached pages.
 */
export async function holdsDeadSession(context: AppLoadContext, request: Request): Promise<boolean> {
  if (!bringsSession(request) || (await viewerIfReachable(context, request))) return false;
  const sessionId = await sessionIdOf(context, request);
  if (!sessionId) return true;
  return unlessOutage(
    context,
    () => hasSessionEnded(context.db, sessionId),
    () => false,
  );
}

/** Whether the user logged in within the last so many minutes. Sensitive actions ask for a recent login. */
export async function hasJustLoggedIn(
  context: AppLoadContext,
  request: Request,
  minutes: number,
): Promise<boolean> {
  const sessionId = await sessionIdOf(context, request);
  return sessionId !== undefined && isRecentLogIn(context.db, sessionId, minutes);
}

/**
 * The first line of every loader and action that needs a signed-in user.
 *
 * @throws a redirect to the login page, which leads back here
 */
export async function requireUser(context: AppLoadContext, request: Request): Promise<Viewer> {
  return (await requireSession(context, request)).viewer;
}

/**
 * Like `requireUser`, where the session is needed too.
 *
 * @throws a redirect to the login page, which leads back here
 */
export async function requireSession(context: AppLoadContext, request: Request): Promise<SignedIn> {
  const signedIn = await signedInOf(context, request);
  if (signedIn) return signedIn;
  throw toLogin(request);
}

/**
 * The first line of every loader and action that needs one of some roles.
 *
 * @throws a redirect to the login page, also for a signed-in user without the role
 */
export async function requireRole(
  context: AppLoadContext,
  request: Request,
  ...roles: Role[]
): Promise<Viewer> {
  const viewer = await viewerOf(context, request);
  if (viewer && roles.includes(viewer.userType)) return viewer;
  throw toLogin(request);
}

/** The 404 to throw, also for what exists but belongs to somebody else. */
export function notFound() {
  return new Response(null, { status: 404 });
}

export function badRequest() {
  return new Response(null, { status: 400 });
}

/**
 * Redirects to the login page. A visitor who already is on the guarded page (after Back, or after a post from it)
 * gets a replacing redirect: otherwise Back from the login page would run into the guard again. A visitor who comes
 * from another page gets a plain one, so that Back leads to that page.
 */
function toLogin(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  const login = `/login?${new URLSearchParams({ redirectTo: pathname + search })}`;
  const referrer = request.headers.get("Referer");
  const isOnPage = referrer !== null && URL.canParse(referrer) && new URL(referrer).pathname === pathname;
  return isOnPage ? replace(login) : redirect(login);
}
