import { jwtVerify, SignJWT } from "jose";
import { JOSEError } from "jose/errors";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { findViewer, type SignedIn } from "./sessions.server.ts";

const algorithm = "HS256";
const issuer = brand.name.toLowerCase();
const audience = `${issuer}-api`;
const lifetimeSeconds = 60 * 60;

/** Issues a JWT (HS256) for API clients. It is valid for one hour and ends with the session. */
export function issueAccessToken(key: CryptoKey, { viewer, sessionId }: SignedIn): Promise<string> {
  // One time for both, since a second may begin between them.
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(viewer.id)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(key);
}

/** Reads user and session of an access token; null if it is invalid or expired, or its session has ended. */
export async function verifyAccessToken(db: Db, keys: CryptoKey[], token: string): Promise<SignedIn | null> {
  const claims = (await Promise.all(keys.map((key) => verifyClaims(key, token)))).find((found) => found);
  if (typeof claims?.sid !== "string") return null;
  const viewer = await findViewer(db, claims.sid);
  return viewer && viewer.id === claims.sub ? { viewer, sessionId: claims.sid } : null;
}

async function verifyClaims(key: CryptoKey, token: string) {
  try {
    const { payload } = await jwtVerify<{ sid?: unknown }>(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ["sub", "sid", "exp"],
    });
    return payload;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}
