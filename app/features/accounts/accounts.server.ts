import { compare, getRounds, hash } from "bcryptjs";
import { and, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, startsWith } from "#app/db/conditions.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import { emailEquals } from "./email.server.ts";
import { inHashingQueue } from "./password-hashing.server.ts";
import type { Viewer } from "./viewer.ts";

const bcryptCost = 10;

/** A valid bcrypt hash that no password matches. */
const unmatchableHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, "0")}$${"x".repeat(22)}${"x".repeat(31)}`;

export const viewerColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  userType: users.userType,
  suspensionId: users.suspensionId,
  suspendedUntil: users.suspendedUntil,
  moderatorSince: users.moderatorSince,
};

/** An account whose password was given. */
export interface AuthenticatedAccount {
  viewer: Viewer;
  passwordHash: string;
}

/** Why a login failed; "wrong" does not say whether the address or the password is wrong. */
export type LoginRefusal = "wrong" | "disabled";

/**
 * Finds the account for an email address and password: the current account, or else the last removed one. Call it within
 * `withHashingSlot`.
 *
 * @returns the account with the hash that the password matches, for `openSession`; "wrong" for a wrong password or
 *   unknown address, after the same time; "disabled" for a removed account
 */
export async function authenticate(
  db: Db,
  credentials: { email: string; password: string },
): Promise<AuthenticatedAccount | LoginRefusal> {
  const [account] = await db
    .select({ ...viewerColumns, passwordHash: users.passwordHash, removalId: users.removalId })
    .from(users)
    .where(emailEquals(users.email, credentials.email))
    .orderBy(sql`${users.removalId} is not null`, desc(users.id))
    .limit(1);
  const { passwordHash = null, removalId = null, ...viewer } = account ?? {};
  const matches = await matchesPassword(credentials.password, passwordHash);
  if (!matches || !passwordHash) return "wrong";
  return removalId ? "disabled" : { viewer: viewer as Viewer, passwordHash };
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
    if (!passwordHash) return compare(password, unmatchableHash(bcryptCost)).then(() => false);
    if (await compare(password, passwordHash)) return true;
    // Each cost step doubles the time, so these comparisons make up for a hash of lower cost.
    for (let cost = getRounds(passwordHash); cost < bcryptCost; cost += 1) {
      await compare(password, unmatchableHash(cost));
    }
    return false;
  });
}

/** Finds an account by email address, without any permission check. */
export async function findAccount(db: Db, email: string): Promise<Viewer | null> {
  const [account] = await db.select(viewerColumns).from(users).where(hasEmail(email));
  return account ?? null;
}

/** Makes an account an administrator and ends its sessions; false if there is no such account. */
export async function promoteToAdmin(db: Db, email: string): Promise<boolean> {
  const account = and(eq(users.id, sessions.userId), hasEmail(email));
  const [accounts] = await db.batch([
    db.update(users).set({ userType: "Admin" }).where(hasEmail(email)).returning({ id: users.id }),
    db.delete(sessions).where(hasRow(db, users, account)),
  ]);
  return accounts.length > 0;
}

/** Hashes a new password; call it within `withHashingSlot`. */
export function hashPassword(password: string): Promise<string> {
  return inHashingQueue(() => hash(password, bcryptCost));
}

/** Condition on `users`: the account of an email address, not removed. */
export function hasEmail(email: string) {
  return and(emailEquals(users.email, email), isNull(users.removalId));
}

/** Condition of any statement: the account is not removed, so that closing one leaves no new rows behind. */
export function isOpenAccount(db: Db, { id }: Pick<Viewer, "id">): SQL {
  return hasRow(db, users, and(eq(users.id, id), isNull(users.removalId)));
}

/** Selects the ids of accounts whose name or, `byAddress`, email address begins with a text, also removed ones. */
export function usersNamed(db: Db, text: string, byAddress = true) {
  return db
    .select({ id: users.id })
    .from(users)
    .where(or(startsWith(users.name, text), byAddress ? startsWith(users.email, text) : undefined));
}
