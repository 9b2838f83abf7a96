import { compare, getRounds, hash } from "bcryptjs";
import { and, desc, eq, exists, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sessions, users } from "#app/db/schema.ts";
import type { SignUp } from "./account.schema.ts";
import type { Viewer } from "./viewer.ts";

const hashingCost = 10;

/** A hash that no password fits. */
const unmatchableHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, "0")}$${"x".repeat(22)}${"x".repeat(31)}`;

/** The columns of a `Viewer`. */
export const viewerColumns = { id: users.id, name: users.name, email: users.email, userType: users.userType };

/**
 * Creates an account of a buyer or a seller.
 *
 * @returns the new account, or null when its e-mail address is taken, in any letter case.
 */
export async function createAccount(
  db: Db,
  account: SignUp & { userType: "Buyer" | "Seller" },
): Promise<Viewer | null> {
  const { name, email, userType } = account;
  const passwordHash = await hashPassword(account.password);
  const [created] = await db
    .insert(users)
    .values({ name, email, userType, passwordHash })
    .onConflictDoNothing()
    .returning(viewerColumns);
  return created ?? null;
}

/** Why an address and a password open nothing; "wrong" does not tell which of them. */
export type LogInRefusal = "wrong" | "disabled";

/**
 * Finds the account an address and a password open. An address may have been several people's in turn: only
 * its account of today counts, or the last one when that has been removed.
 *
 * @returns "wrong" for a wrong password and for an unknown address alike, after the same time; "disabled" when
 * the password is that of a removed account
 */
export async function authenticate(
  db: Db,
  credentials: { email: string; password: string },
): Promise<Viewer | LogInRefusal> {
  const [account] = await db
    .select({ ...viewerColumns, passwordHash: users.passwordHash, removalId: users.removalId })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${credentials.email})`)
    .orderBy(sql`${users.removalId} is not null`, desc(users.id))
    .limit(1);
  const { passwordHash = null, removalId = null, ...viewer } = account ?? {};
  const matches = await compares(credentials.password, passwordHash);
  if (!matches) return "wrong";
  return removalId ? "disabled" : (viewer as Viewer);
}

/**
 * Finds out whether a password is that of an account.
 *
 * @returns the hash it fits, for a later statement to hold the account to; null when it is not, after the same
 *   time for an account without any
 */
export async function checkPassword(db: Db, { id }: Viewer, password: string): Promise<string | null> {
  const [account] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.removalId)));
  const passwordHash = account?.passwordHash ?? null;
  return (await compares(password, passwordHash)) ? passwordHash : null;
}

/** Whether a password fits a hash. When it does not, that takes as long whatever the hash, and without one. */
async function compares(password: string, passwordHash: string | null): Promise<boolean> {
  if (!passwordHash) return compare(password, unmatchableHash(hashingCost)).then(() => false);
  if (await compare(password, passwordHash)) return true;
  // Each step of the cost takes twice as long: the steps up to today's cost make up what a cheaper hash spared.
  for (let cost = getRounds(passwordHash); cost < hashingCost; cost += 1) {
    await compare(password, unmatchableHash(cost));
  }
  return false;
}

/** The account of an address, whoever asks; null when there is none. */
export async function findAccount(db: Db, email: string): Promise<Viewer | null> {
  const [account] = await db.select(viewerColumns).from(users).where(hasEmail(email));
  return account ?? null;
}

/**
 * Makes an account an administrator, and ends its sessions: what was signed in as less is not to become more.
 * For the operator's own hands: nothing on the site leads here.
 *
 * @returns whether there is such an account
 */
export async function raiseToAdmin(db: Db, email: string): Promise<boolean> {
  const raised = and(eq(users.id, sessions.userId), hasEmail(email));
  const [accounts] = await db.batch([
    db.update(users).set({ userType: "Admin" }).where(hasEmail(email)).returning({ id: users.id }),
    db.delete(sessions).where(exists(db.select({ one: sql`1` }).from(users).where(raised))),
  ]);
  return accounts.length > 0;
}

/** What is kept of a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, hashingCost);
}

/** The account of an address that has not been removed; compared without case, as their unique index does. */
export function hasEmail(email: string) {
  return and(sql`lower(${users.email}) = lower(${email})`, isNull(users.removalId));
}
