import { and, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { OrderStepKind, ProblemKind } from "#app/db/enums.ts";
import { orderProblems, orderSteps, orders, payments } from "#app/db/schema.ts";
import { orderDeadlines, problemDays } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";

const lastStep = (...kinds: OrderStepKind[]) => sql`(select max(${orderSteps.createdAt}) from ${orderSteps}
  where ${orderSteps.orderId} = ${orders.id} and ${orderSteps.kind} in ${kinds})`;

/** Times of `orders` in milliseconds: null before the receipt, and as long as the order goes on. */
export const receivedAt = sql`iif(${orders.stage} = 'received', ${lastStep("received")}, null)`;
export const endedAt = sql`iif(${orders.status} = 'cancelled', ${lastStep("cancelled", "returned")}, null)`;

/** Since when both sides of `orders` can review each other: the receipt, or the end if that followed a handover. */
export const reviewableSince = sql`iif(${orders.stage} = 'reserved', null, coalesce(${endedAt}, ${receivedAt}))`;

/**
 * When a window that counts from a time of an order ends, in milliseconds; null without that time. It stands still while
 * a problem with the order is open, and two at once count once. Once it is over, later problems do not open it again.
 */
export function windowEnd(
  orderId: SQLWrapper,
  since: SQLWrapper,
  days: number | SQLWrapper,
  now = new Date(),
): SQL {
  const ended = sql`coalesce(p.ended_at, ${now.getTime()})`;
  const lastEnded = sql`max(${ended}) over (order by p.created_at, p.id
    rows between unbounded preceding and 1 preceding)`;
  const ms = typeof days === "number" ? sql`${days * dayMs}` : sql`${days} * ${dayMs}`;
  return sql`(${since} + ${ms} + coalesce((
    select sum(max(0, ended - max(began, ${since}))) from (
      select max(p.created_at, coalesce(${lastEnded}, 0)) as began, ${ended} as ended
      from ${orderProblems} p where p.order_id = ${orderId})), 0))`;
}

/** Condition on `payments`: the buyer’s bank disputes it, so that its money stands still. */
export const isDisputed = sql`(${payments.disputedAt} is not null and ${payments.disputeEndedAt} is null)`;

/** When the warranty of a received order ends, and with it the time to report a problem. */
export const warrantyUntil = (now?: Date) => windowEnd(orders.id, receivedAt, problemDays.openable, now);

/** The columns of an order that enters a stage now. */
export function deadlinesOf(stage: keyof typeof orderDeadlines) {
  const { days, reminderDaysBefore } = orderDeadlines[stage];
  const at = Date.now() + days * dayMs;
  return { deadlineAt: new Date(at), reminderAt: new Date(at - reminderDaysBefore * dayMs) };
}

/** Condition on `orders`: a problem, of one of the kinds if any are given, is open, so the order is on hold. */
export function hasOpenProblem(db: Db, ...kinds: ProblemKind[]) {
  const isKind = kinds.length > 0 ? inArray(orderProblems.kind, kinds) : undefined;
  const isOpen = and(eq(orderProblems.orderId, orders.id), isNull(orderProblems.endedAt), isKind);
  return hasRow(db, orderProblems, isOpen);
}
