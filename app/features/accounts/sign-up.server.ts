import { and, gt, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { valueFor } from "#app/db/conditions.server.ts";
import { signUpAddresses, users } from "#app/db/schema.ts";
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
          id: valueFor(users.id, timeOrderedId()),
          name: valueFor(users.name, name),
          email: valueFor(users.email, email),
          passwordHash: valueFor(users.passwordHash, passwordHash),
          googleSubject: valueFor(users.googleSubject, null),
          userType: valueFor(users.userType, userType),
          verified: valueFor(users.verified, false),
          emailVerifiedAt: valueFor(users.emailVerifiedAt, null),
          createdAt: valueFor(users.createdAt, new Date()),
          removalId: valueFor(users.removalId, null),
          suspensionId: valueFor(users.suspensionId, null),
          suspendedUntil: valueFor(users.suspendedUntil, null),
          moderatorSince: valueFor(users.moderatorSince, null),
          sessionVersion: valueFor(users.sessionVersion, 0),
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
