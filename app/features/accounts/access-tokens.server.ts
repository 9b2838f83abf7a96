import { jwtVerify, SignJWT } from "jose";
import { JOSEError } from "jose/errors";
import type { Db } from "#app/db/client.server.ts";
import { findViewer } from "./sessions.server.ts";
import type { Viewer } from "./viewer.ts";

const algorithm = "HS256";
const issuer = "ringback";
const audience = "ringback-calls";
const life = "1h";

/** The signed-in person behind a call, and the session they came with. */
export interface Caller {
  viewer: Viewer;
  sessionId: string;
}

/**
 * A token that stands for a session in calls of programs, for one hour and no longer than the session lives.
 *
 * @param key for HMAC with SHA-256
 * @see https://www.rfc-editor.org/rfc/rfc7519
 */
export function issueAccessToken(key: CryptoKey, { viewer, sessionId }: Caller): Promise<string> {
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(viewer.id)
    .setIssuedAt()
    .setExpirationTime(life)
    .sign(key);
}

/**
 * Who a token stands for; null when it is not one of ours, too old, or its session or account has ended.
 *
 * @param keys any of them may have signed it
 */
export async function findCaller(db: Db, keys: CryptoKey[], token: string): Promise<Caller | null> {
  const claims = (await Promise.all(keys.map((key) => claimsOf(key, token)))).find((found) => found);
  if (typeof claims?.sid !== "string") return null;
  const viewer = await findViewer(db, claims.sid);
  return viewer && viewer.id === claims.sub ? { viewer, sessionId: claims.sid } : null;
}

async function claimsOf(key: CryptoKey, token: string) {
  try {
    const { payload } = await jwtVerify<{ sid?: unknown }>(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ["sub", "sid", "exp"],
    });
    return payload;
  } catch (fault) {
    if (fault instanceof JOSEError) return null;
    throw fault;
  }
}
