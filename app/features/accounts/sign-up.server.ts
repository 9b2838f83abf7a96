import { and, eq, isNull, lt, not, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { SignUpRole } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { signUpAddresses, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import type { SignUpValues } from "./account.schema.ts";
import { findAccount, isSuspendedNow } from "./accounts.server.ts";
import { emailEquals } from "./email.server.ts";
import { hashPassword } from "./passwords.server.ts";
import { type NewSession, openingSession } from "./sessions.server.ts";
import type { Viewer } from "./viewer.ts";

export type NewAccount = SignUpValues & { userType: SignUpRole; agreement?: AcceptedVersions };

/** The versions of the pages that someone accepts by signing up; null where none was shown. */
export interface AcceptedVersions {
  terms: string | null;
  privacy: string | null;
}

/** The columns of a new account: ids that a form made up are left out. */
export function acceptedVersions({ terms, privacy }: AcceptedVersions) {
  const published = (slug: string, id: string | null) =>
    sql`(select id from page_versions where id = ${id} and slug = ${slug} and state = 'published')`;
  return { termsVersionId: published("terms", terms), privacyVersionId: published("privacy", privacy) };
}

/**
 * Creates a buyer's or seller's account. Returns null if the email address is taken, also by a removed account that is
 * suspended. Call it within `withHashingSlot`.
 *
 * @param addressHash see `recordingSignUpAddress`
 * @param session is opened with the account
 */
export async function createAccount(
  db: Db,
  account: NewAccount,
  { addressHash, session }: { addressHash?: string | null; session?: NewSession } = {},
): Promise<Viewer | null> {
  const { name, email, userType, agreement } = account;
  const passwordHash = await hashPassword(account.password);
  const id = timeOrderedId();
  const refusal = await batchUnless(db, { taken: not(isAddressTaken(db, email)) }, [
    db.insert(users).values({
      ...{ id, name, email, passwordHash, userType, createdAt: new Date() },
      ...(agreement && acceptedVersions(agreement)),
    }),
    ...(addressHash ? recordingSignUpAddress(db, id, addressHash) : []),
    ...(session ? openingSession(db, id, session) : []),
  ]);
  return refusal ? null : findAccount(db, email);
}

/** Condition of any statement: an account has the address, or a removed one that is suspended. */
export function isAddressTaken(db: Db, email: string) {
  return hasRow(
    db,
    users,
    and(emailEquals(users.email, email), or(isNull(users.removalId), isSuspendedNow())),
  );
}

const addressRetentionDays = 7;

/**
 * The statements that record from which network address an account was made, if it was, for a few days: for its limit
 * of reservations, and so that moderators see many from one.
 *
 * @param addressHash a keyed hash; the address itself is not stored
 */
export function recordingSignUpAddress(db: Db, userId: string, addressHash: string, now = new Date()) {
  const expired = new Date(now.getTime() - addressRetentionDays * dayMs);
  const address = {
    userId: users.id,
    addressHash: sql<string>`${addressHash}`.as("address_hash"),
    createdAt: sql<Date>`${now.getTime()}`.as("created_at"),
  };
  return [
    db.delete(signUpAddresses).where(lt(signUpAddresses.createdAt, expired)),
    db
      .insert(signUpAddresses)
      .select(db.select(address).from(users).where(eq(users.id, userId)))
      .onConflictDoNothing(),
  ] as const;
}
