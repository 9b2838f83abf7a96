import { and, gt, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { signUpAddresses, users } from "#app/db/schema.ts";
import type { SignUpRole } from "#app/db/values.ts";
import { dayMs } from "#app/time.ts";
import type { SignUpValues } from "./account.schema.ts";
import { findAccount } from "./accounts.server.ts";
import { emailEquals } from "./email.server.ts";
import { hashPassword } from "./passwords.server.ts";
import type { Viewer } from "./viewer.ts";

export type NewAccount = SignUpValues & { userType: SignUpRole; agreement?: Agreement };

/** The versions of the pages that someone accepts by signing up; null where none was shown. */
export interface Agreement {
  terms: string | null;
  privacy: string | null;
}

/** The columns of a new account: ids that a form made up are left out. */
export function acceptedVersions({ terms, privacy }: Agreement) {
  const published = (slug: string, id: string | null) =>
    sql`(select id from page_versions where id = ${id} and slug = ${slug} and state = 'published')`;
  return { termsVersionId: published("terms", terms), privacyVersionId: published("privacy", privacy) };
}

/**
 * Creates a buyer's or seller's account. Returns null if the email address is taken, also by a removed account that is
 * suspended. Call it within `withHashingSlot`.
 */
export async function createAccount(db: Db, account: NewAccount): Promise<Viewer | null> {
  const { name, email, userType, agreement } = account;
  const passwordHash = await hashPassword(account.password);
  const id = timeOrderedId();
  const isSuspended = and(
    isNotNull(users.suspensionId),
    or(isNull(users.suspendedUntil), gt(users.suspendedUntil, new Date())),
  );
  const taken = and(emailEquals(users.email, email), or(isNull(users.removalId), isSuspended));
  const refusal = await batchUnless(db, { taken: not(hasRow(db, users, taken)) }, [
    db.insert(users).values({
      ...{ id, name, email, passwordHash, userType, createdAt: new Date() },
      ...(agreement && acceptedVersions(agreement)),
    }),
  ]);
  return refusal ? null : findAccount(db, email);
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
