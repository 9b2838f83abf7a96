import { type AppLoadContext, json, redirect, replace } from "@remix-run/cloudflare";
import type { Role } from "#app/db/values.ts";
import { type Claimant, claimantBy } from "#app/features/accounts/claimant.server.ts";
import { isFresh, isOver } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { bringsSession } from "#app/platform/cookies.server.ts";
import { unlessOutage } from "#app/platform/outage.server.ts";

/** A visitor and the session they are signed in with. */
interface SignedIn {
  viewer: Viewer;
  sessionId: string;
}

/** One look-up for each request, however many loaders ask. */
const known = new WeakMap<AppLoadContext, Promise<Claim | null>>();

/** A visitor who holds a session that is truly ours, whether it has ended or not. */
interface Claim {
  claimant: Claimant;
  sessionId: string;
}

/** Who is signed in, by the database of this moment; null for a visitor who is not. */
export async function signedInOf(context: AppLoadContext, request: Request): Promise<SignedIn | null> {
  const claim = await claimOf(context, request);
  const viewer = await claim?.claimant.viewer();
  return claim && viewer ? { viewer, sessionId: claim.sessionId } : null;
}

/** Who may be signed in, by their cookie; nothing is asked of the database. */
export function claimOf(context: AppLoadContext, request: Request): Promise<Claim | null> {
  const claim = known.get(context) ?? readClaim(context, request);
  known.set(context, claim);
  return claim;
}

async function readClaim(context: AppLoadContext, request: Request): Promise<Claim | null> {
  const sessionId = await sessionIdOf(context, request);
  return sessionId ? { claimant: claimantBy(context.db, sessionId), sessionId } : null;
}

/** Who is behind a request, by the database of this moment; null for a visitor who is not signed in. */
export async function viewerOf(context: AppLoadContext, request: Request): Promise<Viewer | null> {
  return (await signedInOf(context, request))?.viewer ?? null;
}

/** Like `viewerOf`, for what is shown to anybody: null as well while the database is out of reach. */
export function viewerIfReachable(context: AppLoadContext, request: Request): Promise<Viewer | null> {
  return unlessOutage(
    context,
    () => viewerOf(context, request),
    () => null,
  );
}

/** Whether somebody is signed in; while the database is out of reach, whether their browser says so. */
export async function seemsSignedIn(context: AppLoadContext, request: Request): Promise<boolean> {
  return await unlessOutage(
    context,
    async () => (await viewerOf(context, request)) !== null,
    async () => (await sessionIdOf(context, request)) !== undefined,
  );
}

/** The id in the browser's session cookie, if that is truly ours; whether the session lives is another matter. */
export async function sessionIdOf(context: AppLoadContext, request: Request): Promise<string | undefined> {
  const session = await context.cookies.session.getSession(request.headers.get("Cookie"));
  return session.get("sessionId");
}

/**
 * Whether the browser holds a session cookie that opens nothing any more, or never did. With it, it would be kept
 * from what is the same for everybody.
 */
export async function holdsDeadSession(context: AppLoadContext, request: Request): Promise<boolean> {
  if (!bringsSession(request) || (await viewerIfReachable(context, request))) return false;
  const sessionId = await sessionIdOf(context, request);
  if (!sessionId) return true;
  return unlessOutage(
    context,
    () => isOver(context.db, sessionId),
    () => false,
  );
}

/** Whether the visitor has logged in within the last so many minutes, for what a browser left open may not do. */
export async function hasJustLoggedIn(
  context: AppLoadContext,
  request: Request,
  minutes: number,
): Promise<boolean> {
  const sessionId = await sessionIdOf(context, request);
  return sessionId !== undefined && isFresh(context.db, sessionId, minutes);
}

/**
 * The first line of every loader and action that needs a signed-in visitor.
 *
 * @throws a redirect to the login page, which leads back here
 */
export async function requireViewer(context: AppLoadContext, request: Request): Promise<Viewer> {
  const viewer = await viewerOf(context, request);
  if (viewer) return viewer;
  throw toLogin(request);
}

/**
 * Guards an action that spares its visitor a round trip: what it writes asks by itself whose session that is (see
 * `Claimant`), so it begins before anybody knows. Nobody but who is signed in hears what has come of it.
 *
 * @throws a redirect to the login page, which leads back here
 */
export async function asClaimant<Done>(
  context: AppLoadContext,
  request: Request,
  act: (claimant: Claimant) => Promise<Done>,
): Promise<Done> {
  const claim = await claimOf(context, request);
  if (!claim) throw toLogin(request);
  try {
    return await act(claim.claimant);
  } finally {
    await requireViewer(context, request);
  }
}

/**
 * Like `requireViewer`, for what is about the visitor's session too.
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
 * @throws a redirect to the login page, for a visitor without the role as for one who is not signed in
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

/**
 * What is thrown at who is signed in where there is nothing for them to see or to act on. When an action throws, no
 * loader runs that would tell the page's frame who they are.
 */
export function nothingHere(status: 400 | 404 = 404) {
  return json({ signedIn: true }, { status });
}

/**
 * To the login page, so that Back leads to the page the visitor came from. Who stands on the guarded page
 * already (by Back, or by a post from it) leaves it behind, else Back would lead into the guard again; who
 * comes to it from another page has not entered it yet, and replacing would take that other page away.
 */
function toLogin(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  const login = `/login?${new URLSearchParams({ redirectTo: pathname + search })}`;
  const referrer = request.headers.get("Referer");
  const standsHere = referrer !== null && URL.canParse(referrer) && new URL(referrer).pathname === pathname;
  return standsHere ? replace(login) : redirect(login);
}
