import { jwtVerify, SignJWT } from "jose";
import { JOSEError } from "jose/errors";
import { brand } from "#app/brand.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { derivedKey } from "#app/server/config/secrets.server.ts";
import { notificationKindSchema } from "./notification.schema.ts";

const algorithm = "HS256";
const issuer = brand.name.toLowerCase();
const audience = `${issuer}-unsubscribe`;

/** Whom an unsubscribe link belongs to, and which emails it ends. */
export interface Unsubscription {
  userId: string;
  kind: NotificationKind;
}

const keyOf = (secret: string) => derivedKey(secret, "unsubscribe");

/** Signs the token of an unsubscribe link, which needs no login and does not expire. @param secrets newest first */
export async function unsubscribeToken(secrets: string[], { userId, kind }: Unsubscription): Promise<string> {
  return new SignJWT({ kind })
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(userId)
    .sign(await keyOf(secrets[0] ?? ""));
}

/** Reads the token of an unsubscribe link; null if it is not ours. */
export async function readUnsubscribeToken(secrets: string[], token: string): Promise<Unsubscription | null> {
  const found = await Promise.all(secrets.map(async (secret) => verify(await keyOf(secret), token)));
  return found.find((each) => each !== null) ?? null;
}

async function verify(key: CryptoKey, token: string): Promise<Unsubscription | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience,
      requiredClaims: ["sub", "kind"],
    });
    const kind = notificationKindSchema.safeParse(payload.kind);
    return payload.sub && kind.success ? { userId: payload.sub, kind: kind.data } : null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}
