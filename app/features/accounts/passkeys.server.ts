import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { isoBase64URL } from "@simplewebauthn/server/helpers";
import { and, eq, isNull, sql } from "drizzle-orm";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { passkeys, users } from "#app/db/schema.ts";
import { issueOneTimeToken, spendOneTimeToken } from "./one-time-tokens.server.ts";
import { mostPasskeys, passkeyName } from "./passkey.rules.ts";
import type { NewPasskey } from "./passkey.schema.ts";
import type { Viewer } from "./viewer.ts";

/** Where passkeys are made and used: each is good at one host alone. */
export interface PasskeySite {
  /** The host without its port. */
  id: string;
  /** What browsers call the site: "https://ringback.example". */
  origin: string;
}

/** Ed25519, and the two that every device knows. @see https://www.iana.org/assignments/cose */
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

/**
 * Begins to add a passkey to the viewer's account.
 *
 * @returns what the browser is to ask its authenticators, and the token that `addPasskey` takes, within five
 * minutes; "full" when the account has as many as it can have, "enough" when it was begun very often of late
 */
export async function beginPasskey(db: Db, viewer: Viewer, site: PasskeySite) {
  const known = await db
    .select({ id: passkeys.id, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, viewer.id));
  if (known.length >= mostPasskeys) return "full";
  const token = await issueOneTimeToken(db, "passkey registration", viewer.id);
  if (!token) return "enough";
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: site.id,
    userName: viewer.email,
    userDisplayName: viewer.name,
    userID: new TextEncoder().encode(viewer.id),
    challenge: isoBase64URL.toBuffer(token),
    excludeCredentials: known as Parameters<typeof generateRegistrationOptions>[0]["excludeCredentials"],
    // One that cannot be found without an address would be of no use: the login page asks for none.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
    attestationType: "none",
    timeout: 5 * 60_000,
  });
  return { options, token };
}

/** Why a passkey is not added; "known" says that it has been, here or at another account. */
export type NewPasskeyRefusal = "late" | "unverified" | "known" | "full";

/**
 * Adds a passkey to the viewer's account. The token is spent whatever comes of it.
 *
 * @param device what it is made on, in words
 */
export async function addPasskey(
  db: Db,
  viewer: Viewer,
  asked: { site: PasskeySite; token: string; device: string },
  answer: NewPasskey,
): Promise<"added" | NewPasskeyRefusal> {
  const { site, token, device } = asked;
  if (!(await spendOneTimeToken(db, "passkey registration", token, viewer.id))) return "late";
  const made = await readNewPasskey(site, token, answer);
  if (!made) return "unverified";
  const { credential, aaguid, credentialBackedUp } = made;
  const own = db.select({ count: sql`count(*)` }).from(passkeys).where(eq(passkeys.userId, viewer.id));
  const row = {
    id: sql<string>`${credential.id}`.as("id"),
    userId: users.id,
    publicKey: sql<string>`${isoBase64URL.fromBuffer(credential.publicKey)}`.as("public_key"),
    counter: sql<number>`${credential.counter}`.as("counter"),
    transports: sql<string[]>`${JSON.stringify(answer.response.transports)}`.as("transports"),
    backedUp: sql<boolean>`${credentialBackedUp ? 1 : 0}`.as("backed_up"),
    name: sql<string>`${passkeyName(aaguid, device)}`.as("name"),
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
    lastUsedAt: sql<Date | null>`null`.as("last_used_at"),
  };
  const isFree = and(eq(users.id, viewer.id), isNull(users.removalId), sql`(${own}) < ${mostPasskeys}`);
  const added = await db
    .insert(passkeys)
    .select(db.select(row).from(users).where(isFree))
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  if (added.length > 0) return "added";
  return (await db.$count(passkeys, eq(passkeys.userId, viewer.id))) < mostPasskeys ? "known" : "full";
}

/** Takes a passkey from the viewer's account; whether there was such a one of theirs. */
export async function removePasskey(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const removed = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, viewer.id)))
    .returning({ id: passkeys.id });
  return removed.length > 0;
}

/** What an answer tells of its passkey; null when it does not answer our question, from our site. */
async function readNewPasskey(site: PasskeySite, token: string, answer: NewPasskey) {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as never,
      expectedChallenge: token,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo ?? null;
  } catch {
    // The library throws at whatever is wrong, and nothing in here but what the answer says can be.
    return null;
  }
}
