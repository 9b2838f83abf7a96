import { and, count, eq, isNull, lt, not, or } from "drizzle-orm";
import { base64url } from "jose";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { passkeys, users } from "#app/db/schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import {
  consumeOneTimeToken,
  issueAnonymousOneTimeToken,
  issueOneTimeToken,
} from "./one-time-tokens.server.ts";
import type { PasskeyAssertion, PasskeyRegistration } from "./passkey.schema.ts";
import type { Viewer } from "./viewer.ts";

/** Passkeys of one account. */
const maxPasskeys = 10;

/** The relying party: a passkey works at one host only. */
export interface PasskeySite {
  id: string;
  /** "https://ringback.example" */
  origin: string;
}

/** Ed25519, ES256 and RS256. @see https://www.iana.org/assignments/cose */
const algorithms = [-8, -7, -257];

/** Loaded on demand: with its certificates it is a sixth of the Worker's code, and few requests need it. */
const loadLibrary = () => import("@simplewebauthn/server");

/** Copies what `jose` decodes, for the type. */
const bytesOf = (text: string) => new Uint8Array(base64url.decode(text));

/** The viewer's passkeys, oldest first. */
export function listPasskeys(db: Db, viewer: Viewer) {
  return db
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, viewer.id))
    .orderBy(passkeys.createdAt, passkeys.id);
}

export type ListedPasskey = Awaited<ReturnType<typeof listPasskeys>>[number];

/** Starts to add a passkey to the account. The token for `addPasskey` is valid for five minutes. */
export async function beginPasskeyRegistration(db: Db, viewer: Viewer, site: PasskeySite) {
  const known = await db
    .select({ id: passkeys.id, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, viewer.id));
  if (known.length >= maxPasskeys) return "limit reached";
  const token = await issueOneTimeToken(db, "passkey registration", viewer.id);
  if (!token) return "rate limited";
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: site.id,
    userName: viewer.email,
    userDisplayName: viewer.name,
    userID: new TextEncoder().encode(viewer.id),
    challenge: bytesOf(token),
    excludeCredentials: known as Parameters<typeof generateRegistrationOptions>[0]["excludeCredentials"],
    // The login page asks for no email address, so the passkey must be discoverable.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
    attestationType: "none",
    timeout: 5 * 60_000,
  });
  return { options, token };
}

/** Why a passkey was not added; "already registered" if an account already has it. */
type NewPasskeyRefusal = "expired" | "unverified" | "already registered" | "limit reached";

/** Verifies a new passkey and adds it to the account. The token is used up in any case. */
export async function addPasskey(
  db: Db,
  viewer: Viewer,
  expected: { site: PasskeySite; token: string; device: string },
  registration: PasskeyRegistration,
): Promise<"added" | NewPasskeyRefusal> {
  const { site, token, device } = expected;
  if (!(await consumeOneTimeToken(db, "passkey registration", token, viewer.id))) return "expired";
  const verified = await verifyRegistration(site, token, registration);
  if (!verified) return "unverified";
  const { credential, aaguid, credentialBackedUp } = verified;
  const own = db.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, viewer.id));
  const account = and(
    eq(users.id, viewer.id),
    isNull(users.removalId),
    eq(users.sessionVersion, viewer.sessionVersion),
  );
  const refusal = await batchUnless(
    db,
    {
      "limit reached": and(hasRow(db, users, account), lt(own, maxPasskeys)),
      "already registered": not(hasRow(db, passkeys, eq(passkeys.id, credential.id))),
    },
    [
      db.insert(passkeys).values({
        id: credential.id,
        userId: viewer.id,
        publicKey: base64url.encode(credential.publicKey),
        counter: credential.counter,
        transports: registration.response.transports,
        backedUp: credentialBackedUp,
        name: passkeyName(aaguid, device),
        createdAt: new Date(),
      }),
    ],
  );
  return refusal ?? "added";
}

/** Removes a passkey from the viewer's account; false if there is no such passkey. */
export async function removePasskey(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const removed = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, viewer.id)))
    .returning({ id: passkeys.id });
  return removed.length > 0;
}

/** Checks challenge and origin; null if one of them is wrong. */
async function verifyRegistration(site: PasskeySite, token: string, registration: PasskeyRegistration) {
  const { verifyRegistrationResponse } = await loadLibrary();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...registration, clientExtensionResults: {} } as never,
      expectedChallenge: token,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo ?? null;
  } catch {
    // The library throws on invalid responses.
    return null;
  }
}

/** Starts a login with a passkey. The token for `finishPasskeyLogin` is valid for five minutes. */
export async function beginPasskeyLogin(db: Db, site: PasskeySite) {
  const token = await issueAnonymousOneTimeToken(db, "passkey login");
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: bytesOf(token),
    userVerification: "required",
    timeout: 5 * 60_000,
  });
  return { options, token };
}

/** "expired": the challenge has expired or was used. "counter decreased": the passkey may have been copied. */
type PasskeyRefusal = "expired" | "unknown" | "unverified" | "disabled" | "counter decreased";

/** Verifies a login with a passkey and finds its account. The token is used up in any case. */
export async function finishPasskeyLogin(
  db: Db,
  { site, token }: { site: PasskeySite; token: string },
  assertion: PasskeyAssertion,
): Promise<{ viewer: Viewer } | { refusal: PasskeyRefusal }> {
  if (!(await consumeOneTimeToken(db, "passkey login", token, null))) return { refusal: "expired" };
  const [found] = await db
    .select({ viewer: viewerColumns, publicKey: passkeys.publicKey, removalId: users.removalId })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, assertion.id));
  if (!found) return { refusal: "unknown" };
  const { viewer, publicKey, removalId } = found;
  const verified = await verifyAssertion({ site, token, publicKey }, assertion);
  const owner = base64url.encode(viewer.id);
  if (!verified || assertion.response.userHandle !== owner) return { refusal: "unverified" };
  if (removalId) return { refusal: "disabled" };
  return (await recordUse(db, assertion.id, verified)) ? { viewer } : { refusal: "counter decreased" };
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
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: token,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // `recordUse` compares the counter in the database.
      credential: { id: assertion.id, publicKey: bytesOf(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo : null;
  } catch {
    // The library throws on invalid responses.
    return null;
  }
}

const expired = "That took too long. Try again.";
const unverified = "We couldn’t verify this passkey. Try again.";

/** Why a login with a passkey was refused: the message, and the reason in the log. */
export const passkeyLoginRefusals: Record<
  PasskeyRefusal | "invalid" | "other host",
  { message: string; logReason: string }
> = {
  expired: { message: expired, logReason: "expired" },
  unknown: {
    message: "This passkey isn’t registered here. Log in another way.",
    logReason: "unknown passkey",
  },
  unverified: { message: unverified, logReason: "not verified" },
  invalid: { message: unverified, logReason: "invalid response" },
  disabled: { message: "This account has been disabled.", logReason: "account removed" },
  "counter decreased": {
    message: "We couldn’t verify this passkey. Log in another way.",
    logReason: "signature counter decreased",
  },
  "other host": {
    message: "Passkeys don’t work on this domain. Log in another way.",
    logReason: "other host",
  },
};

/** Why a passkey was not added. */
export const newPasskeyRefusals: Record<NewPasskeyRefusal | "invalid" | "other host", string> = {
  expired,
  unverified,
  invalid: unverified,
  "already registered": "This passkey is already registered.",
  "limit reached": `An account can have ${maxPasskeys} passkeys. Remove one first.`,
  "other host": "Passkeys don’t work on this domain.",
};

/** By AAGUID, for display only. @see https://github.com/passkeydeveloper/passkey-authenticator-aaguids */
const providers: Record<string, string> = {
  "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
  "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
  "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain",
  "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on macOS",
  "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
  "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
  "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
  "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
  "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
  "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
  "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
  "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
};

/** The display name of a new passkey; `device` if its provider is unknown. */
function passkeyName(aaguid: string, device: string): string {
  return providers[aaguid] ?? device;
}
