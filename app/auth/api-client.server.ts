import type { AppLoadContext } from "@remix-run/cloudflare";
import { brand } from "#app/brand.ts";
import type { TokenScope } from "#app/db/enums.ts";
import { issueAccessToken, verifyAccessToken } from "#app/features/accounts/access-tokens.server.ts";
import { may, type Permission } from "#app/features/accounts/permissions.ts";
import {
  findTokenOwner,
  isPersonalAccessToken,
} from "#app/features/accounts/personal-access-tokens.server.ts";
import type { SignedIn } from "#app/features/accounts/sessions.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { type OperationDescription, refusesTokens } from "#app/server/api/api-operations.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { derivedKey } from "#app/server/config/crypto.server.ts";
import { signedInOf } from "./guard.server.ts";

/** Who may call an operation. */
export type ApiAccess = "anyone" | "signed in" | Permission;

/** An authenticated client: by a session, or by a personal access token of a scope. */
export type Caller =
  | (SignedIn & { tokenScope?: undefined })
  | { viewer: Viewer; tokenScope: TokenScope; sessionId?: undefined };

/** Authenticates a client by its bearer token or, without one, by its session cookie. */
export async function authenticateCaller(context: AppLoadContext, request: Request): Promise<Caller | null> {
  const token = bearerTokenOf(request);
  if (token === null) return signedInOf(context, request);
  if (/\s/.test(token)) return null;
  if (isPersonalAccessToken(token)) return findTokenOwner(context.db, token);
  return verifyAccessToken(context.db, await tokenKeys(context), token);
}

/**
 * What follows `Bearer`, valid or not; null for another scheme, and if it names no token, as from a script that has not
 * stored one yet: `Bearer null`, `Bearer undefined`.
 */
function bearerTokenOf({ headers }: Request): string | null {
  const token = /^Bearer(?!\S) *(.*?) *$/i.exec(headers.get("Authorization") ?? "")?.[1];
  return !token || /^(null|undefined)$/i.test(token) ? null : token;
}

/** @throws Response 401 for an anonymous client, 403 for one without the permission */
export function requireAccess(
  request: Request,
  viewer: Viewer | null,
  access: Exclude<ApiAccess, "anyone">,
): asserts viewer is Viewer {
  if (!viewer) {
    const error = bearerTokenOf(request) ? ', error="invalid_token"' : "";
    const headers = { "WWW-Authenticate": `Bearer realm="${brand.name}"${error}` };
    throw problemDetails(401, "Log in, or send a valid bearer token.", { headers });
  }
  if (access !== "signed in" && !may(viewer, access)) throw forbidden(viewer);
}

/** @throws Response 403 for a personal access token that does not allow the operation */
export function requireScope(
  { method }: Request,
  caller: Caller | null,
  operation: Pick<OperationDescription, "access" | "needsSession">,
): void {
  if (!caller?.tokenScope) return;
  if (refusesTokens(operation))
    throw problemDetails(403, "Personal access tokens can’t do this. Log in instead.");
  if (caller.tokenScope === "write" || method === "GET" || method === "HEAD") return;
  const headers = {
    "WWW-Authenticate": `Bearer realm="${brand.name}", error="insufficient_scope", scope="write"`,
  };
  throw problemDetails(403, "This token can only read. Create one that can write.", { headers });
}

/** The response to a client without permission. */
export function forbidden({ byToken }: Viewer): Response {
  const how = byToken ? " with a personal access token" : "";
  return problemDetails(403, `You don’t have permission to do this${how}.`);
}

/** Issues a bearer token for the client's session. */
export async function issueTokenFor(context: AppLoadContext, caller: SignedIn): Promise<string> {
  const [key] = await tokenKeys(context);
  if (!key) throw new Error("There is no secret.");
  return issueAccessToken(key, caller);
}

function tokenKeys({ secrets }: AppLoadContext): Promise<CryptoKey[]> {
  return Promise.all(secrets.map((secret) => derivedKey(secret, "access tokens")));
}
