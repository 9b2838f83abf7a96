import type { AppLoadContext } from "@remix-run/cloudflare";
import type { PasskeySite } from "#app/features/accounts/passkeys.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { hasJustLoggedIn } from "./guard.server.ts";

/** The relying party; null if the request's host is not the public one, or an IP address. */
export function passkeySite(context: AppLoadContext, request: Request): PasskeySite | null {
  const origin = publicOrigin(context, request);
  const { hostname } = new URL(origin);
  const isNumber = /^[\d.]+$|:/.test(hostname);
  return origin === new URL(request.url).origin && !isNumber ? { id: hostname, origin } : null;
}

/** Responds with a passkey challenge and stores its token in a cookie. */
export async function challengeResponse(
  { cookies }: AppLoadContext,
  { options, token }: { options: object; token: string },
): Promise<Response> {
  return Response.json({ options }, { headers: { "Set-Cookie": await cookies.passkey.serialize(token) } });
}

/** Reads the token of the current challenge; empty if there is none. */
export async function readChallengeToken({ cookies }: AppLoadContext, request: Request): Promise<string> {
  const token: unknown = await cookies.passkey.parse(request.headers.get("Cookie"));
  return typeof token === "string" ? token : "";
}

/** Creates headers that clear the challenge's cookie. */
export async function clearChallenge({ cookies }: AppLoadContext): Promise<Headers> {
  return new Headers({ "Set-Cookie": await cookies.passkey.serialize("", { maxAge: 0 }) });
}

/** Turns a redirect into JSON, since a script cannot read where a redirect leads. */
export function redirectAsJson(redirected: Response): Response {
  const headers = new Headers(redirected.headers);
  const to = headers.get("Location");
  headers.delete("Location");
  return Response.json({ to }, { headers });
}

/** Loads the data of `PasskeySection`. Passkeys outlive the session, so they are changed only after a recent login. */
export async function loadPasskeySection(context: AppLoadContext, request: Request, viewer: Viewer) {
  const { listPasskeys } = await import("#app/features/accounts/passkeys.server.ts");
  const [passkeys, mayChange] = await Promise.all([
    listPasskeys(context.db, viewer),
    hasJustLoggedIn(context, request),
  ]);
  return { passkeys, mayChange, mayAdd: mayChange && passkeySite(context, request) !== null };
}
