import { and, desc, eq, exists, inArray, isNull, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { decisions, notifications, orders, phones } from "#app/db/schema.ts";
import { isSuspended } from "../../accounts/accounts.server.ts";

/** What notifications of a decision are of. */
export const decisionEventOf = (decisionId: string | SQLWrapper) => sql`'decision ' || ${decisionId}`;

/** Condition on `notifications`: that of a user of an event. */
const isOf = (userId: string | SQL, event: string | SQL) =>
  and(eq(notifications.userId, userId), eq(notifications.event, event));

/** Condition on `notifications`: what they say ended before its email went out, so that there is none. */
const isStopped = eq(notifications.emailOutcome, "undone");

/** A statement: what a notification says is not in effect anymore; its email, if it still waits, is not sent. */
export function stopEmail(db: Db, userId: string, event: SQL, now: Date) {
  return db
    .update(notifications)
    .set({ emailDoneAt: now, emailOutcome: "undone" })
    .where(and(isOf(userId, event), isNull(notifications.emailDoneAt)));
}

/** A statement: what `stopEmail` was for is in effect again, so that its email waits again. */
export function resumeEmail(db: Db, userId: string, event: string) {
  return db
    .update(notifications)
    .set({ emailDoneAt: null, emailOutcome: null })
    .where(and(isOf(userId, event), isStopped));
}

/**
 * Condition: the owner has no email about what a reversal ends, so that it has none either: `stopEmail` came first, and the
 * last email about the same thing, if any, said that it is back. A decision about an appeal is waited for.
 *
 * @param endedId the decision that the reversal ends
 */
export function isReversalEmailSkipped(db: Db, endedId: SQL): SQL {
  const [ended, related, reversed] = [
    alias(decisions, "ended"),
    alias(decisions, "related"),
    alias(decisions, "reversed"),
  ];
  const isSuspension = sql`${ended.kind} = 'suspend'`;
  const isRelated = or(
    and(isSuspension, eq(related.kind, "suspend")),
    and(isSuspension, eq(reversed.kind, "suspend")),
    and(
      not(isSuspension),
      eq(related.targetKind, ended.targetKind),
      eq(related.targetId, ended.targetId),
      inArray(related.kind, ["hide", "remove", "reverse"]),
    ),
  );
  const lastTold = db
    .select({ kind: related.kind })
    .from(related)
    .leftJoin(reversed, and(eq(related.kind, "reverse"), eq(reversed.id, related.previousId)))
    .innerJoin(notifications, isOf(sql`${ended.ownerId}`, decisionEventOf(related.id)))
    .where(
      and(
        eq(related.ownerId, ended.ownerId),
        isRelated,
        or(isNull(notifications.emailDoneAt), eq(notifications.emailOutcome, "sent")),
      ),
    )
    .orderBy(desc(related.id))
    .limit(1);
  const isSkipped = and(
    eq(ended.id, endedId),
    isNull(ended.appealedAt),
    isStopped,
    sql`${notifications.details} ->> 'answersAppeal' is null`,
    sql`coalesce((${lastTold}), 'reverse') = 'reverse'`,
  );
  return exists(
    db
      .select({ one: sql`1` })
      .from(ended)
      .innerJoin(notifications, isOf(sql`${ended.ownerId}`, decisionEventOf(ended.id)))
      .where(isSkipped),
  );
}

/** Whether a reversal has no email, since what it reverses had none. */
export async function wasReversalEmailSkipped(db: Db, reversalId: string): Promise<boolean> {
  const isNotice = and(isOf(sql`${decisions.ownerId}`, decisionEventOf(reversalId)), isStopped);
  const found = await db
    .select({ id: decisions.id })
    .from(decisions)
    .innerJoin(notifications, isNotice)
    .where(eq(decisions.id, reversalId));
  return found.length > 0;
}

/** Condition on `notifications`: about an order of a device of an account. */
function isOfSale(db: Db, sellerId: string) {
  return exists(
    db
      .select({ one: sql`1` })
      .from(orders)
      .innerJoin(phones, and(eq(phones.id, orders.phoneId), eq(phones.sellerId, sellerId)))
      .where(eq(orders.id, sql`substr(${notifications.path}, length('/manage/orders/') + 1)`)),
  );
}

/**
 * Statements for the batch of a decision, after its effects: buyers get no email about a suspension of their seller that is
 * over, nor about an end of one that is not. Who was never emailed of the suspension isn’t of its end either.
 */
export function stopBuyerEmails(db: Db, sellerId: string, now: Date) {
  const stopped = { emailDoneAt: now, emailOutcome: "undone" } as const;
  const isWaiting = and(isNull(notifications.emailDoneAt), isOfSale(db, sellerId));
  const told = alias(notifications, "told");
  const outcome = db
    .select({ outcome: told.emailOutcome })
    .from(told)
    .where(
      and(
        eq(told.userId, notifications.userId),
        eq(told.path, notifications.path),
        eq(told.kind, "seller suspended"),
      ),
    )
    .orderBy(desc(told.id))
    .limit(1);
  return [
    db
      .update(notifications)
      .set(stopped)
      .where(and(isWaiting, eq(notifications.kind, "seller suspended"), not(isSuspended(db, sellerId)))),
    db
      .update(notifications)
      .set(stopped)
      .where(
        and(
          isWaiting,
          eq(notifications.kind, "seller back"),
          sql`(${isSuspended(db, sellerId)} or (${outcome}) in ('undone', 'order over'))`,
        ),
      ),
  ] as const;
}

/** A statement: a decision that `stopBuyerEmails` was for is undone, so that those emails wait again. */
export function resumeBuyerEmails(db: Db, sellerId: string, decidedAt: Date) {
  const buyers = db
    .select({ id: orders.buyerId })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(eq(phones.sellerId, sellerId));
  return db
    .update(notifications)
    .set({ emailDoneAt: null, emailOutcome: null })
    .where(
      and(
        inArray(notifications.userId, buyers),
        inArray(notifications.kind, ["seller suspended", "seller back"]),
        isStopped,
        eq(notifications.emailDoneAt, decidedAt),
        sql`${notifications.details} ->> 'takenBack' is null`,
      ),
    );
}
