import { compare, hash } from "bcryptjs";
import { and, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import type { SignUp } from "./account.schema.ts";
import type { Viewer } from "./viewer.ts";

const hashingCost = 10;

/** A hash of this cost that no password fits, so that an unknown address takes as long as a wrong password. */
const unmatchableHash = `$2b$${hashingCost}$${"x".repeat(22)}${"x".repeat(31)}`;

const viewerColumns = { id: users.id, name: users.name, email: users.email, userType: users.userType };

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

/**
 * Finds the account an address and a password open.
 *
 * @returns null for a wrong password and for an unknown address alike, after the same time.
 */
export async function authenticate(
  db: Db,
  credentials: { email: string; password: string },
): Promise<Viewer | null> {
  const [account] = await db
    .select({ ...viewerColumns, passwordHash: users.passwordHash })
    .from(users)
    .where(hasEmail(credentials.email));
  const { passwordHash = null, ...viewer } = account ?? {};
  const matches = await compare(credentials.password, passwordHash ?? unmatchableHash);
  return matches && passwordHash ? (viewer as Viewer) : null;
}

/**
 * Makes an account an administrator. For the operator's own hands: nothing on the site leads here.
 *
 * @returns whether there is such an account
 */
export async function raiseToAdmin(db: Db, email: string): Promise<boolean> {
  const raised = await db
    .update(users)
    .set({ userType: "Admin" })
    .where(hasEmail(email))
    .returning({ id: users.id });
  return raised.length > 0;
}

/** What is kept of a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, hashingCost);
}

/** The account of an address that has not been removed; compared without case, as their unique index does. */
export function hasEmail(email: string) {
  return and(sql`lower(${users.email}) = lower(${email})`, isNull(users.removalId));
}
