import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { isoBase64URL } from "@simplewebauthn/server/helpers";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { passkeys, users } from "#app/db/schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import { consumeOneTimeToken, issueAnonymousOneTimeToken } from "./one-time-tokens.server.ts";
import type { PasskeyAssertion } from "./passkey.schema.ts";
import type { PasskeySite } from "./passkeys.server.ts";
import type { Viewer } from "./viewer.ts";

/** Starts a login with a passkey. The token for `finishPasskeyLogin` is valid for five minutes. */
export async function beginPasskeyLogin(db: Db, site: PasskeySite) {
  const token = await issueAnonymousOneTimeToken(db, "passkey login");
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: isoBase64URL.toBuffer(token),
    userVerification: "required",
    timeout: 5 * 60_000,
  });
  return { options, token };
}

/** "expired": the challenge has expired or was used. "counter decreased": the passkey may have been copied. */
export type PasskeyRefusal = "expired" | "unknown" | "unverified" | "disabled" | "counter decreased";

/** Verifies a login with a passkey and finds its account. The token is used up in any case. */
export async function finishPasskeyLogin(
  db: Db,
  { site, token }: { site: PasskeySite; token: string },
  assertion: PasskeyAssertion,
): Promise<Viewer | PasskeyRefusal> {
  if (!(await consumeOneTimeToken(db, "passkey login", token, null))) return "expired";
  const [found] = await db
    .select({ viewer: viewerColumns, publicKey: passkeys.publicKey, removalId: users.removalId })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, assertion.id));
  if (!found) return "unknown";
  const { viewer, publicKey, removalId } = found;
  const verified = await verifyAssertion({ site, token, publicKey }, assertion);
  const owner = isoBase64URL.fromUTF8String(viewer.id);
  if (!verified || assertion.response.userHandle !== owner) return "unverified";
  if (removalId) return "disabled";
  return (await recordUse(db, assertion.id, verified)) ? viewer : "counter decreased";
}

/** Stores the use of a passkey; false if the signature counter has not grown, since the key may then be a copy. */
async function recordUse(
  db: Db,
  id: string,
  { newCounter, credentialBackedUp }: VerifiedAssertion,
): Promise<boolean> {
  // Passkeys that are synchronised between devices always report 0.
  const uncounted = newCounter === 0 ? eq(passkeys.counter, 0) : undefined;
  const updated = await db
    .update(passkeys)
    .set({ counter: newCounter, backedUp: credentialBackedUp, lastUsedAt: new Date() })
    .where(
      and(
        eq(passkeys.id, id),
        or(lt(passkeys.counter, newCounter), uncounted),
        hasRow(db, users, and(eq(users.id, passkeys.userId), isNull(users.removalId))),
      ),
    )
    .returning({ id: passkeys.id });
  return updated.length > 0;
}

type VerifiedAssertion = NonNullable<Awaited<ReturnType<typeof verifyAssertion>>>;

/** Checks challenge, origin and signature; null if one of them is wrong. */
async function verifyAssertion(
  { site, token, publicKey }: { site: PasskeySite; token: string; publicKey: string },
  assertion: PasskeyAssertion,
) {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: token,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // `recordUse` compares the counter in the database.
      credential: { id: assertion.id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo : null;
  } catch {
    // The library throws on invalid responses.
    return null;
  }
}
