import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { isoBase64URL } from "@simplewebauthn/server/helpers";
import { and, eq, exists, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { passkeys, users } from "#app/db/schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import { issueAnonymousOneTimeToken, spendOneTimeToken } from "./one-time-tokens.server.ts";
import type { UsedPasskey } from "./passkey.schema.ts";
import type { PasskeySite } from "./passkeys.server.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Begins to log somebody in.
 *
 * @returns what the browser is to ask its authenticators, and the token that `logInByPasskey` takes, within
 * five minutes; the token is for that browser alone
 */
export async function beginLogInByPasskey(db: Db, site: PasskeySite) {
  const token = await issueAnonymousOneTimeToken(db, "passkey login");
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: isoBase64URL.toBuffer(token),
    userVerification: "required",
    timeout: 5 * 60_000,
  });
  return { options, token };
}

/**
 * Why a passkey opens nothing; "late" also when the question was answered before, "copied" when it has signed
 * less often than it had before.
 */
export type PasskeyRefusal = "late" | "unknown" | "unverified" | "disabled" | "copied";

/** Finds the account that a passkey opens. The token is spent whatever comes of it. */
export async function logInByPasskey(
  db: Db,
  { site, token }: { site: PasskeySite; token: string },
  answer: UsedPasskey,
): Promise<Viewer | PasskeyRefusal> {
  if (!(await spendOneTimeToken(db, "passkey login", token, null))) return "late";
  const [found] = await db
    .select({ viewer: viewerColumns, publicKey: passkeys.publicKey, removalId: users.removalId })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, answer.id));
  if (!found) return "unknown";
  const { viewer, publicKey, removalId } = found;
  const used = await readUsedPasskey({ site, token, publicKey }, answer);
  const owner = isoBase64URL.fromUTF8String(viewer.id);
  if (!used || answer.response.userHandle !== owner) return "unverified";
  if (removalId) return "disabled";
  return (await noteUse(db, answer.id, used)) ? viewer : "copied";
}

/**
 * Notes that a passkey was used, unless it has signed less often than we know it has. Of a key and its copy,
 * used at once with the same count, the row lets one pass.
 */
async function noteUse(db: Db, id: string, { newCounter, credentialBackedUp }: Used): Promise<boolean> {
  // Keys that are kept in several places do not count.
  const uncounted = newCounter === 0 ? eq(passkeys.counter, 0) : undefined;
  const noted = await db
    .update(passkeys)
    .set({ counter: newCounter, backedUp: credentialBackedUp, lastUsedAt: new Date() })
    .where(
      and(
        eq(passkeys.id, id),
        or(lt(passkeys.counter, newCounter), uncounted),
        exists(
          db
            .select({ one: sql`1` })
            .from(users)
            .where(and(eq(users.id, passkeys.userId), isNull(users.removalId))),
        ),
      ),
    )
    .returning({ id: passkeys.id });
  return noted.length > 0;
}

type Used = NonNullable<Awaited<ReturnType<typeof readUsedPasskey>>>;

/** What an answer tells of its use; null when it does not answer our question, from our site, with this key. */
async function readUsedPasskey(
  { site, token, publicKey }: { site: PasskeySite; token: string; publicKey: string },
  answer: UsedPasskey,
) {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: token,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // The count is for the row itself to judge, which knows it at the moment it changes.
      credential: { id: answer.id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo : null;
  } catch {
    // The library throws at whatever is wrong, and nothing in here but what the answer says can be.
    return null;
  }
}
