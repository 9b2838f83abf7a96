import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { isoBase64URL } from "@simplewebauthn/server/helpers";
import { and, count, eq, isNull, sql } from "drizzle-orm";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { passkeys, users } from "#app/db/schema.ts";
import { consumeOneTimeToken, issueOneTimeToken } from "./one-time-tokens.server.ts";
import { maxPasskeys, passkeyName } from "./passkey.rules.ts";
import type { PasskeyRegistration } from "./passkey.schema.ts";
import type { Viewer } from "./viewer.ts";

/** The relying party: a passkey works at one host only. */
export interface PasskeySite {
  id: string;
  /** "https://ringback.example" */
  origin: string;
}

/** Ed25519, ES256 and RS256. @see https://www.iana.org/assignments/cose */
const algorithms = [-8, -7, -257];

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
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: site.id,
    userName: viewer.email,
    userDisplayName: viewer.name,
    userID: new TextEncoder().encode(viewer.id),
    challenge: isoBase64URL.toBuffer(token),
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
export type NewPasskeyRefusal = "expired" | "unverified" | "already registered" | "limit reached";

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
  const row = {
    id: sql<string>`${credential.id}`.as("id"),
    userId: users.id,
    publicKey: sql<string>`${isoBase64URL.fromBuffer(credential.publicKey)}`.as("public_key"),
    counter: sql<number>`${credential.counter}`.as("counter"),
    transports: sql<string[]>`${JSON.stringify(registration.response.transports)}`.as("transports"),
    backedUp: sql<boolean>`${credentialBackedUp ? 1 : 0}`.as("backed_up"),
    name: sql<string>`${passkeyName(aaguid, device)}`.as("name"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
    lastUsedAt: sql<Date | null>`null`.as("last_used_at"),
  };
  const hasRoom = and(eq(users.id, viewer.id), isNull(users.removalId), sql`(${own}) < ${maxPasskeys}`);
  const added = await db
    .insert(passkeys)
    .select(db.select(row).from(users).where(hasRoom))
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  if (added.length > 0) return "added";
  return (await db.$count(passkeys, eq(passkeys.userId, viewer.id))) < maxPasskeys
    ? "already registered"
    : "limit reached";
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
