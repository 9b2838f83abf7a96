import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, numberConditions } from "#app/db/conditions.server.ts";
import { recordsWithWords } from "#app/db/record-words.server.ts";
import { orders, payoutAccounts, phones, sessions, users } from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { dayMs } from "#app/time.ts";
import { newHereDays } from "./account.rules.ts";
import { emailEquals } from "./email.server.ts";
import type { Viewer } from "./viewer.ts";

export const viewerColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  userType: users.userType,
  suspensionId: users.suspensionId,
  suspendedUntil: users.suspendedUntil,
  moderatorSince: users.moderatorSince,
  sessionVersion: users.sessionVersion,
};

/** Refuses logins under way with `update(users).set(…)`, in the batch that ends an account's sessions. */
export const nextSessionVersion = { sessionVersion: sql`${users.sessionVersion} + 1` };

/** Condition on an account whose sales and ratings count for others. */
export function isProven(account: Record<"emailVerifiedAt" | "suspensionId", SQLiteColumn>) {
  return and(isNotNull(account.emailVerifiedAt), isNull(account.suspensionId));
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
    db
      .update(users)
      .set({ userType: "Admin", ...nextSessionVersion })
      .where(hasEmail(email))
      .returning({ id: users.id }),
    db.delete(sessions).where(hasRow(db, users, account)),
  ]);
  return accounts.length > 0;
}

/** Condition on `users`: the account of an email address, not removed. */
export function hasEmail(email: string) {
  return and(emailEquals(users.email, email), isNull(users.removalId));
}

/** Condition on `users`, or an alias of it: suspended now. */
export function isSuspendedNow(
  now = new Date(),
  account: Record<"suspensionId" | "suspendedUntil", SQLiteColumn> = users,
): SQL {
  return sql`(${account.suspensionId} is not null and coalesce(${account.suspendedUntil} > ${now.getTime()}, true))`;
}

/** Condition of any statement: the account is suspended. A suspension that has run out counts until the job ends it. */
export function isSuspended(db: Db, accountId: string | SQLWrapper): SQL {
  return hasRow(db, users, and(eq(users.id, accountId), isNotNull(users.suspensionId)));
}

/** Condition of any statement: the user has an account that is not removed. */
export function hasAccount(db: Db, userId: string | SQLWrapper): SQL {
  return hasRow(db, users, and(eq(users.id, userId), isNull(users.removalId)));
}

/** Condition of any statement: the payment provider can pay the account. */
export function canBePaid(db: Db, accountId: string | SQLWrapper): SQL {
  return hasRow(
    db,
    payoutAccounts,
    and(eq(payoutAccounts.userId, accountId), eq(payoutAccounts.state, "ready")),
  );
}

/** Condition of any statement, also one on `users`: the account is neither removed nor suspended. */
export function isActiveAccount(db: Db, accountId: string | SQLWrapper): SQL {
  const dealer = alias(users, "dealer");
  const isSuspended = isSuspendedNow(new Date(), dealer);
  return hasRow(db, dealer, and(eq(dealer.id, accountId), isNull(dealer.removalId), not(isSuspended)));
}

/** Condition on `users`, or an alias of it: the account is young, and has completed no order on either side. */
export function isNewHere(db: Db, account: Record<"id" | "createdAt", SQLiteColumn> = users): SQL {
  const isCompleted = and(eq(orders.status, "active"), eq(orders.stage, "received"));
  const bought = hasRow(db, orders, and(eq(orders.buyerId, account.id), isCompleted));
  const sold = exists(
    db
      .select({ one: sql`1` })
      .from(phones)
      .innerJoin(orders, and(eq(orders.phoneId, phones.id), isCompleted))
      .where(eq(phones.sellerId, account.id)),
  );
  return sql`(coalesce(${account.createdAt} > ${Date.now() - newHereDays * dayMs}, false) and not ${bought} and not ${sold})`;
}

/** Condition of any statement: the account is not removed, so that closing one leaves no new rows behind. */
export const isOpenAccount = (db: Db, { id }: Pick<Viewer, "id">) => hasAccount(db, id);

/** Whether a user signed up as a seller whom no administrator has verified yet. */
export async function isUnverifiedSeller(db: Db, { id, userType }: Viewer): Promise<boolean> {
  if (userType !== "Seller") return false;
  const [seller] = await db.select({ verified: users.verified }).from(users).where(eq(users.id, id));
  return !seller?.verified;
}

/** Selects the ids of accounts, also removed ones, whose name or, `byAddress`, email address has the words typed. */
export function usersNamed(db: Db, typed: string, byAddress = true) {
  return recordsWithWords(db, typed, byAddress ? ["name", "email"] : ["name"]);
}

/**
 * Conditions on `orders`: of buyers or sellers with such a name or address, as `usersNamed` finds them.
 *
 * @param buyer or the number of the order
 */
export function ordersOfPeopleNamed(db: Db, { buyer, seller }: { buyer?: string; seller?: string }) {
  const ofSeller = (text: string) =>
    db
      .select({ id: phones.id })
      .from(phones)
      .where(inArray(phones.sellerId, usersNamed(db, text)));
  return selectiveFilters(db, orders, [
    buyer && or(inArray(orders.buyerId, usersNamed(db, buyer)), ...numberConditions(orders.id, buyer)),
    seller && inArray(orders.phoneId, ofSeller(seller)),
  ]);
}
