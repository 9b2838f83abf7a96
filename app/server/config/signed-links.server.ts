import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { JOSEError } from "jose/errors";
import { brand } from "#app/brand.ts";
import { derivedKey } from "./crypto.server.ts";

const algorithm = "HS256";
const issuer = brand.name.toLowerCase();

/** What an emailed link is for; each has its own key. */
type Purpose = "unsubscribe" | "report";

/** Signs the token of an emailed link, which needs no login and does not expire. @param secrets newest first */
export async function signedToken(
  secrets: string[],
  purpose: Purpose,
  subject: string,
  claims: JWTPayload = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setAudience(`${issuer}-${purpose}`)
    .setSubject(subject)
    .sign(await derivedKey(secrets[0] ?? "", purpose));
}

/** Reads the token of an emailed link; null if it is not ours. */
export async function readSignedToken(
  secrets: string[],
  purpose: Purpose,
  token: string,
): Promise<(JWTPayload & { sub: string }) | null> {
  const found = await Promise.all(
    secrets.map(async (secret) => verify(await derivedKey(secret, purpose), purpose, token)),
  );
  return found.find((each) => each !== null) ?? null;
}

async function verify(key: CryptoKey, purpose: Purpose, token: string) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience: `${issuer}-${purpose}`,
      requiredClaims: ["sub"],
    });
    return payload.sub ? { ...payload, sub: payload.sub } : null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}
