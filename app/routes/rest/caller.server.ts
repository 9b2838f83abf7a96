import type { AppLoadContext } from "@remix-run/cloudflare";
import { type Caller, findCaller, issueAccessToken } from "#app/features/accounts/access-tokens.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { problem } from "#app/platform/problem.server.ts";
import { derivedKey } from "#app/platform/secrets.server.ts";
import { signedInOf } from "../guard.server.ts";

/**
 * Who makes a call: by the bearer token where there is one, else by the browser's session. A token that does not
 * hold is nobody's, whatever session came along.
 */
export async function callerOf(context: AppLoadContext, request: Request): Promise<Caller | null> {
  const authorization = request.headers.get("Authorization");
  if (authorization !== null) {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    return token ? findCaller(context.db, await tokenKeys(context), token) : null;
  }
  return signedInOf(context, request);
}

/** A token for programs, for the session a call came with. */
export async function tokenFor(context: AppLoadContext, caller: Caller): Promise<string> {
  const [key] = await tokenKeys(context);
  if (!key) throw new Error("There is no secret.");
  return issueAccessToken(key, caller);
}

/**
 * Lets pass who may make a call.
 *
 * @throws Response 401 for nobody, 403 for somebody else
 */
export function refuseCaller(
  request: Request,
  viewer: Viewer | null,
  who: "signed in" | "admin",
): asserts viewer is Viewer {
  if (!viewer) {
    const fault = request.headers.has("Authorization") ? ', error="invalid_token"' : "";
    const headers = { "WWW-Authenticate": `Bearer realm="Ringback"${fault}` };
    throw problem(401, "Sign in, or send the token of someone who is.", { headers });
  }
  if (who === "admin" && viewer.userType !== "Admin") throw forbidden();
}

/** Refuses somebody who is known and may not. */
export function forbidden(): Response {
  return problem(403, "This is not yours to ask for.");
}

/** Newest first: the first signs, and each is believed. */
function tokenKeys({ secrets }: AppLoadContext): Promise<CryptoKey[]> {
  return Promise.all(secrets.map((secret) => derivedKey(secret, "access tokens")));
}
