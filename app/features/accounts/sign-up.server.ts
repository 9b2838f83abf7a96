import { and, gt, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { signUpAddresses, users } from "#app/db/schema.ts";
import type { Role } from "#app/db/values.ts";
import { dayMs } from "#app/time.ts";
import type { SignUp } from "./account.schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import { emailEquals } from "./email.server.ts";
import { hashPassword } from "./passwords.server.ts";
import type { Viewer } from "./viewer.ts";

export type NewAccount = SignUp & { userType: "Buyer" | "Seller" };

/**
 * Creates a buyer's or seller's account. Returns null if the email address is taken, also by a removed account that is
 * suspended. Call it within `withHashingSlot`.
 */
export async function createAccount(db: Db, account: NewAccount): Promise<Viewer | null> {
  const { name, email, userType } = account;
  const passwordHash = await hashPassword(account.password);
  const isSuspendedOne = and(
    emailEquals(users.email, email),
    isNotNull(users.suspensionId),
    or(isNull(users.suspendedUntil), gt(users.suspendedUntil, new Date())),
  );
  const suspendedOne = db.select({ one: sql`1` }).from(users).where(isSuspendedOne);
  const [created] = await db
    .insert(users)
    .select(
      db
        .select({
          id: sql<string>`${timeOrderedId()}`.as("id"),
          name: sql<string>`${name}`.as("name"),
          email: sql<string>`${email}`.as("email"),
          passwordHash: sql<string | null>`${passwordHash}`.as("password_hash"),
          googleSubject: sql<null>`null`.as("google_subject"),
          userType: sql<Role>`${userType}`.as("user_type"),
          verified: sql<null>`null`.as("verified"),
          emailVerifiedAt: sql<null>`null`.as("email_verified_at"),
          createdAt: sql<Date>`${Date.now()}`.as("created_at"),
          removalId: sql<null>`null`.as("removal_id"),
          suspensionId: sql<null>`null`.as("suspension_id"),
          suspendedUntil: sql<null>`null`.as("suspended_until"),
          moderatorSince: sql<null>`null`.as("moderator_since"),
        })
        .from(sql`(select 1)`)
        .where(notExists(suspendedOne)),
    )
    .onConflictDoNothing()
    .returning(viewerColumns);
  return created ?? null;
}

const addressRetentionDays = 7;

/**
 * Records from which network address an account was made, for a few days, so that moderators see many from one.
 *
 * @param addressHash a keyed hash; the address itself is not stored
 */
export async function recordSignUpAddress(
  db: Db,
  userId: string,
  addressHash: string,
  now = new Date(),
): Promise<void> {
  const expired = new Date(now.getTime() - addressRetentionDays * dayMs);
  await db.batch([
    db.delete(signUpAddresses).where(lt(signUpAddresses.createdAt, expired)),
    db.insert(signUpAddresses).values({ userId, addressHash, createdAt: now }).onConflictDoNothing(),
  ]);
}
