import { and, eq, gt, inArray, isNotNull, isNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { oneTimeTokens, passkeys, personalAccessTokens, sessions, users } from "#app/db/schema.ts";
import { daysLabel } from "#app/market.ts";
import { problemDays } from "#app/terms.ts";
import { dayLabel } from "#app/time.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { nextSessionVersion } from "../accounts/accounts.server.ts";
import { findUnverifiedAccount } from "../accounts/email-verification.server.ts";
import { oneTimeTokenId, oneTimeTokenOwner } from "../accounts/one-time-tokens.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addRemoval } from "../audit/removals.server.ts";
import {
  findRecentSale,
  findUnsettledOrder,
  hasRecentSale,
  isInOpenProblem,
  mayOweDevice,
} from "../order-problems/order-problems.server.ts";
import { notifyOfLeaving } from "../orders/ended-offers.server.ts";
import { orderNumber } from "../orders/order-texts.ts";
import { hasHeldMoney } from "../payments/money-facts.server.ts";
import { eraseAccount, hasOpenOrder, hasReservedListing } from "./account-erasure.server.ts";
import { whySuspendedStay } from "./account-sections.tsx";

/** What is in the way of closing an account. */
type ClosingObstacle = keyof ReturnType<typeof closingConditions>;
type ClosingRefusal = ClosingObstacle | "not proven";
/** The result of closing an account. Unless "closed", nothing has changed. */
type AccountClosingOutcome = "closed" | ClosingRefusal;

/** Proof that the owner closes the account. */
export type ClosingProof =
  /** From `checkPassword`. */
  | { passwordHash: string }
  /** For an account without a password: a session opened in the last ten minutes. */
  | { sessionId: string }
  /** For an account whose address was never verified: the id of a token to verify it. */
  | { verificationId: string };

const recentMinutes = 10;

/**
 * Closes an account permanently, in one batch, so that a concurrent booking either prevents it or finds no account.
 * Erases the person at once. Only the activity log names an administrator for longer, see `purgeRemovals`.
 */
export async function closeAccount(
  db: Db,
  viewer: Viewer,
  proof: ClosingProof,
): Promise<AccountClosingOutcome> {
  const removalId = timeOrderedId();
  const account = and(eq(users.id, viewer.id), isNull(users.removalId));
  const refusal = await batchUnless<ClosingRefusal>(
    db,
    {
      ...closingConditions(db, viewer),
      "not proven": hasRow(db, users, and(account, hasProof(db, viewer, proof))),
    },
    [
      notifyOfLeaving(db, viewer),
      db.update(users).set({ removalId }).where(account),
      addRemoval(db, nobody, "user", { id: removalId, targetId: viewer.id }),
      ...eraseAccount(db, viewer),
    ],
  );
  return refusal ?? "closed";
}

/** What must hold before an account can be closed. */
function closingConditions(db: Db, { id }: Pick<Viewer, "id">) {
  // Otherwise its owner would sign up again with the same address.
  const isFree = or(isNull(users.suspensionId), lte(users.suspendedUntil, new Date()));
  const isReplaceable = or(not(hasPermission("manage users")), hasOtherAdministrator(db, { id }));
  return {
    suspended: hasRow(db, users, and(eq(users.id, id), isFree)),
    // First, because a problem puts the order on hold.
    "problem open": not(isInOpenProblem(db, id)),
    "phone reserved": not(hasReservedListing(db, id)),
    "order open": not(hasOpenOrder(db, id)),
    "money held": not(hasHeldMoney(db, id)),
    "return due": not(mayOweDevice(db, id)),
    "sale recent": not(hasRecentSale(db, id)),
    "last administrator": hasRow(db, users, and(eq(users.id, id), isReplaceable)),
  };
}

/** All that is in the way of closing an account, in sentences for its owner. */
export async function closingObstacles(db: Db, viewer: Viewer): Promise<string[]> {
  const conditions = Object.entries(closingConditions(db, viewer));
  const columns = conditions.map(([name, holds]) => [name, sql<number>`${holds}`.as(name)]);
  const [found = {}] = await db.select(Object.fromEntries(columns)).from(sql`(select 1)`);
  const obstacles = (Object.keys(found) as ClosingObstacle[]).filter((name) => !found[name]);
  return Promise.all(obstacles.map((name) => closingRefusalText(db, viewer, name)));
}

/** Why an account is not closed, for its owner. */
export async function closingRefusalText(db: Db, viewer: Viewer, refusal: ClosingRefusal): Promise<string> {
  switch (refusal) {
    case "suspended":
      return whySuspendedStay(viewer.suspendedUntil?.toISOString() ?? null);
    case "problem open":
    case "return due":
      return whyUnsettledStay(viewer, refusal, await findUnsettledOrder(db, viewer, refusal));
    case "sale recent":
      return whySellersStay(await findRecentSale(db, viewer));
    case "phone reserved":
      return "You can’t delete your account while one of your devices is reserved. Cancel the order on its page under My Sells, or wait until the buyer has the device.";
    case "order open":
      return "You can’t delete your account while you have an open order. You’ll find it under My Orders: cancel it, or once it’s been handed over, mark it as received or report a problem.";
    case "money held":
      return `You can’t delete your account while ${brand.name} holds the money of one of your orders. Its page says when it’s paid out or paid back.`;
    case "last administrator":
      return "You’re the last administrator, so you can’t delete your account.";
    case "not proven":
      return "Log in again, then delete your account within 10 minutes.";
  }
}

const settledMeanwhile = "Something has changed since. Try again.";

/** @param order undefined if it has been settled since */
function whyUnsettledStay(
  viewer: Viewer,
  refusal: "problem open" | "return due",
  order: Awaited<ReturnType<typeof findUnsettledOrder>>,
): string {
  if (!order) return settledMeanwhile;
  const name = `the order for the ${order.productName} (${orderNumber(order.id)})`;
  if (refusal === "problem open") {
    const table = order.buyerId === viewer.id ? "My Orders" : "My Sells";
    return `You can’t delete your account yet. First settle the problem with ${name} under ${table}.`;
  }
  const until = dayLabel(order.reportUntil?.toISOString() ?? "");
  return `You can’t delete your account yet. Until ${until}, the seller can report that you haven’t given back the device of ${name}.`;
}

/** @param order undefined if it has been settled since */
function whySellersStay(order: Awaited<ReturnType<typeof findRecentSale>>): string {
  if (!order) return settledMeanwhile;
  const name = `the ${order.productName} you sold (${orderNumber(order.id)})`;
  const until = dayLabel(order.until.toISOString());
  return `You can’t delete your account until ${until}: for ${daysLabel(problemDays.sale)} after getting it, the buyer of ${name} may still need you.`;
}

/** Whether the account has been closed since the viewer was read, by the same form submitted twice for example. */
export async function isClosed(db: Db, { id }: Viewer): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, id), isNotNull(users.removalId), eq(users.email, "")))) > 0;
}

/** The actor of a removal that cannot be undone. */
const nobody = { id: "" };

function hasProof(db: Db, viewer: Viewer, proof: ClosingProof): SQL | undefined {
  if ("passwordHash" in proof) return eq(users.passwordHash, proof.passwordHash);
  if ("verificationId" in proof) return isUnverifiedOwner(db, proof.verificationId);
  const recent = new Date(Date.now() - recentMinutes * 60_000);
  return and(
    isNull(users.passwordHash),
    hasRow(
      db,
      sessions,
      and(eq(sessions.id, proof.sessionId), eq(sessions.userId, viewer.id), gt(sessions.createdAt, recent)),
    ),
  );
}

/** "locked": it cannot be closed yet, but nobody can log in to it. "invalid": the token is. */
export type DisownOutcome = "closed" | "locked" | "last administrator" | "invalid";

/**
 * Closes an account that somebody made with another's address, by the token that was sent to the address. With a
 * reserved phone, an open order or problem, a device to give back, or suspended, it stays, without password, passkeys, personal access tokens and sessions.
 */
export async function disownAccount(db: Db, token: string): Promise<DisownOutcome> {
  const account = await findUnverifiedAccount(db, token);
  if (!account) return "invalid";
  const verificationId = await oneTimeTokenId(token);
  const outcome = await closeAccount(db, account, { verificationId });
  if (outcome === "closed" || outcome === "last administrator") return outcome;
  return (await lockAccount(db, verificationId)) ? "locked" : "invalid";
}

async function lockAccount(db: Db, verificationId: string): Promise<boolean> {
  const locked = db.select({ id: users.id }).from(users).where(isUnverifiedOwner(db, verificationId));
  const [, , , , used] = await db.batch([
    db.delete(sessions).where(inArray(sessions.userId, locked)),
    db.delete(passkeys).where(inArray(passkeys.userId, locked)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, locked)),
    db
      .update(users)
      .set({ passwordHash: null, ...nextSessionVersion })
      .where(isUnverifiedOwner(db, verificationId)),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, locked)).returning({ id: oneTimeTokens.id }),
  ]);
  return used.length > 0;
}

/** Condition on `users`: the account of a valid token, never verified. */
function isUnverifiedOwner(db: Db, verificationId: string) {
  return and(
    isNull(users.emailVerifiedAt),
    inArray(users.id, oneTimeTokenOwner(db, "verification", verificationId)),
  );
}

function hasOtherAdministrator(db: Db, { id }: Pick<Viewer, "id">) {
  const other = alias(users, "other");
  return hasRow(
    db,
    other,
    and(ne(other.id, id), hasPermission("manage users", other), isNull(other.removalId)),
  );
}
