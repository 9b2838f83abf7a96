import type { AppLoadContext } from "@remix-run/cloudflare";
import { signedInOf } from "#app/auth/guard.server.ts";
import { brand } from "#app/brand.ts";
import {
  issueAccessToken,
  type ViewerSession,
  verifyAccessToken,
} from "#app/features/accounts/access-tokens.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { derivedKey } from "#app/server/config/secrets.server.ts";

/** Authenticates a client by its bearer token or, without one, by its session cookie. */
export async function authenticate(context: AppLoadContext, request: Request): Promise<ViewerSession | null> {
  const authorization = credentialsOf(request);
  if (authorization === null) return signedInOf(context, request);
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return token ? verifyAccessToken(context.db, await tokenKeys(context), token) : null;
}

/**
 * The `Authorization` header; null if it names no token, as from a script that has not stored one yet:
 * `Bearer null`, `Bearer undefined`.
 */
function credentialsOf({ headers }: Request): string | null {
  const authorization = headers.get("Authorization") ?? "";
  return /^(Bearer)? *(null|undefined)? *$/i.test(authorization) ? null : authorization;
}

/** @throws Response 401 for an anonymous client, 403 for one without the role */
export function requireAccess(
  request: Request,
  viewer: Viewer | null,
  access: "signed in" | "admin",
): asserts viewer is Viewer {
  if (!viewer) {
    const error = credentialsOf(request) ? ', error="invalid_token"' : "";
    const headers = { "WWW-Authenticate": `Bearer realm="${brand.name}"${error}` };
    throw problem(401, "Log in, or send a valid bearer token.", { headers });
  }
  if (access === "admin" && viewer.userType !== "Admin") throw forbidden();
}

/** The response to a client without permission. */
export function forbidden(): Response {
  return problem(403, "You do not have permission to do this.");
}

/** Issues a bearer token for the client's session. */
export async function tokenFor(context: AppLoadContext, caller: ViewerSession): Promise<string> {
  const [key] = await tokenKeys(context);
  if (!key) throw new Error("There is no secret.");
  return issueAccessToken(key, caller);
}

function tokenKeys({ secrets }: AppLoadContext): Promise<CryptoKey[]> {
  return Promise.all(secrets.map((secret) => derivedKey(secret, "access tokens")));
}
