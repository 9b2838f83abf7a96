import { and, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { oneTimeTokens, passkeys, personalAccessTokens, sessions, users } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { HashingBusyError } from "#app/server/forms/hashing-busy-error.ts";
import { normalPassword, passwordForms } from "./account.rules.ts";
import { nextSessionVersion, viewerColumns } from "./accounts.server.ts";
import { emailEquals } from "./email.server.ts";
import { findOneTimeToken, oneTimeTokenId, oneTimeTokenOwner } from "./one-time-tokens.server.ts";
import type { Viewer } from "./viewer.ts";

/** Why a login failed; "wrong" does not say whether the address or the password is wrong. */
export type LoginRefusal = "wrong" | "disabled";

/**
 * Finds the account for an email address and password: the current account, or else the last removed one. Call it within
 * `withHashingSlot`.
 *
 * @returns the account, or why there is none: "wrong" for a wrong password or unknown address, after the same time;
 *   "disabled" for a removed account
 */
export async function authenticate(
  db: Db,
  credentials: { email: string; password: string },
): Promise<{ viewer: Viewer; refusal?: undefined } | { viewer?: undefined; refusal: LoginRefusal }> {
  const [account] = await db
    .select({ ...viewerColumns, passwordHash: users.passwordHash, removalId: users.removalId })
    .from(users)
    .where(emailEquals(users.email, credentials.email))
    .orderBy(sql`${users.removalId} is not null`, desc(users.id))
    .limit(1);
  const { passwordHash = null, removalId = null, ...viewer } = account ?? {};
  const matches = await matchesPassword(credentials.password, passwordHash);
  if (!matches || !passwordHash) return { refusal: "wrong" };
  return removalId ? { refusal: "disabled" } : { viewer: viewer as Viewer };
}

/**
 * Checks an account's password and returns the stored hash; null if it is wrong. Takes the same time whatever the
 * reason.
 */
export async function checkPassword(db: Db, { id }: Viewer, password: string): Promise<string | null> {
  const [account] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.removalId)));
  const passwordHash = account?.passwordHash ?? null;
  return (await matchesPassword(password, passwordHash)) ? passwordHash : null;
}

/** Compares a password with a hash. A mismatch takes the same time for each hash, and for none. */
function matchesPassword(password: string, passwordHash: string | null): Promise<boolean> {
  return inHashingQueue(async () => {
    const { compare, getRounds } = await loadBcrypt();
    for (const form of passwordForms(password)) {
      if (await compare(form, passwordHash ?? unmatchableHash(bcryptCost))) return passwordHash !== null;
      if (!passwordHash) continue;
      // Each cost step doubles the time, so these comparisons make up for a hash of lower cost.
      for (let cost = getRounds(passwordHash); cost < bcryptCost; cost += 1) {
        await compare(form, unmatchableHash(cost));
      }
    }
    return false;
  });
}

// On demand: few requests need it.
const loadBcrypt = () => import("bcryptjs");

const bcryptCost = 10;

/** A valid bcrypt hash that no password matches. */
const unmatchableHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, "0")}$${"x".repeat(22)}${"x".repeat(31)}`;

/** Hashes a new password; call it within `withHashingSlot`. */
export function hashPassword(password: string): Promise<string> {
  return inHashingQueue(async () => (await loadBcrypt()).hash(normalPassword(password), bcryptCost));
}

/**
 * Changes a password and deletes the account's other sessions, one-time tokens and personal access tokens. Call it
 * within `withHashingSlot`.
 *
 * @param currentHash from `checkPassword`; only one of concurrent changes succeeds
 * @returns the new id of the current session; null if the password or the session has changed since
 */
export async function changePassword(
  db: Db,
  viewer: Viewer,
  { sessionId, currentHash, password }: { sessionId: string; currentHash: string; password: string },
): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  const nextId = randomToken();
  const ownSession = and(eq(sessions.id, sessionId), eq(sessions.userId, viewer.id));
  // Each hash has its own salt, so only this change can have written it.
  const changed = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, viewer.id), eq(users.passwordHash, passwordHash)));
  const [, , , , rotated] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, ...nextSessionVersion })
      .where(
        and(
          eq(users.id, viewer.id),
          eq(users.passwordHash, currentHash),
          isNull(users.removalId),
          hasRow(db, sessions, ownSession),
        ),
      ),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, changed)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, changed)),
    db.delete(sessions).where(and(inArray(sessions.userId, changed), ne(sessions.id, sessionId))),
    db
      .update(sessions)
      .set({ id: nextId })
      .where(and(ownSession, inArray(sessions.userId, changed)))
      .returning({ id: sessions.id }),
  ]);
  return rotated[0]?.id ?? null;
}

/**
 * Sets a new password, verifies the email address, and deletes sessions and tokens of all kinds. Passkeys are deleted too if the
 * address was not verified before, since someone else may have signed up with it. Returns null for an invalid token. Call it within
 * `withHashingSlot`.
 */
export async function resetPassword(db: Db, token: string, password: string): Promise<string | null> {
  // Do not spend time on a hash for an invalid token.
  if (!(await findOneTimeToken(db, "recovery", token))) return null;
  const passwordHash = await hashPassword(password);
  const owner = oneTimeTokenOwner(db, "recovery", await oneTimeTokenId(token));
  const unverified = db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, owner), isNull(users.emailVerifiedAt)));
  const [, [account], , , used] = await db.batch([
    db.delete(passkeys).where(inArray(passkeys.userId, unverified)),
    db
      .update(users)
      .set({
        passwordHash,
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${Date.now()})`,
        ...nextSessionVersion,
      })
      .where(inArray(users.id, owner))
      .returning({ email: users.email }),
    db.delete(sessions).where(inArray(sessions.userId, owner)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, owner)),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, owner)).returning({ id: oneTimeTokens.id }),
  ]);
  return used.length > 0 && account ? account.email : null;
}

/**
 * Requests of one isolate that may hash or wait for it; more are refused. A flood of wrong passwords leaves places for
 * addresses without one, and a flood from ever new addresses some for devices that are known for their account.
 */
const maxConcurrentRequests = { afterFailure: 16, usual: 20, knownDevice: 24 };

/** Client addresses that a wrong password came from lately. */
const failedLately = new LRUCache<string, true>({ max: 1_000, ttl: 10 * 60_000 });

export const recordWrongPassword = (client: string) => void failedLately.set(client, true);

/** Of all, requests of one client address, so that others get their turn. */
const maxPerClient = 4;

/** A cancelled request never gives its slot back, so each is free again after this time. */
const maxSlotMs = 10_000;

const pollMs = 5;

interface Entry {
  since: number;
  client?: string;
}

/** Both in the order of their entries. */
const slots = new Map<symbol, Entry>();
const queue = new Map<symbol, Entry>();

/**
 * Runs work that hashes, while its isolate has a free slot for the client. Nothing waits for another request's promise,
 * as the queues of libraries do: a cancelled request would never resolve it.
 *
 * @param client the client's address
 * @throws HashingBusyError
 */
export async function withHashingSlot<Result>(
  client: string,
  work: () => Promise<Result>,
  { isKnownDevice = false } = {},
): Promise<Result> {
  dropExpired(slots);
  const own = [...slots.values()].filter((entry) => entry.client === client);
  const kind = isKnownDevice ? "knownDevice" : failedLately.has(client) ? "afterFailure" : "usual";
  if (slots.size >= maxConcurrentRequests[kind] || own.length >= maxPerClient) throw new HashingBusyError();
  return track(slots, work, client);
}

/**
 * Runs work that hashes after that of others, within `withHashingSlot`: bcryptjs runs on the isolate's one thread, and
 * other requests are served in between.
 */
function inHashingQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  return track(queue, async (entry) => {
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      dropExpired(queue);
    } while (queue.has(entry) && queue.keys().next().value !== entry);
    return work();
  });
}

async function track<Result>(
  entries: Map<symbol, Entry>,
  work: (entry: symbol) => Promise<Result>,
  client?: string,
): Promise<Result> {
  const entry = Symbol();
  entries.set(entry, { since: Date.now(), client });
  try {
    return await work(entry);
  } finally {
    entries.delete(entry);
  }
}

function dropExpired(entries: Map<symbol, Entry>): void {
  for (const [entry, { since }] of entries) if (Date.now() - since > maxSlotMs) entries.delete(entry);
}
