import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { orderProblems, orderSteps, orders } from "#app/db/schema.ts";
import { problemDays } from "#app/market.ts";
import { dayMs } from "#app/time.ts";

/** When an order ended, in milliseconds; null as long as it goes on. */
const endedAt = sql`(select max(${orderSteps.createdAt}) from ${orderSteps}
  where ${orderSteps.orderId} = ${orders.id} and ${orderSteps.kind} in ('cancelled', 'returned')
    and ${orders.status} = 'cancelled')`;

/** Until when an ended order can be reported, in milliseconds; null as long as it goes on. */
export const reportEndedUntil = sql`(${endedAt} + ${problemDays.refund * dayMs})`;

/** Condition on `orders`: its sides can write to each other. After a handover they can while something may be owed. */
export function isOpenToMessages(db: Db, now = new Date()) {
  const isOpenProblem = and(eq(orderProblems.orderId, orders.id), isNull(orderProblems.endedAt));
  const mayBeOwed = or(hasRow(db, orderProblems, isOpenProblem), sql`${reportEndedUntil} > ${now.getTime()}`);
  return or(eq(orders.status, "active"), and(ne(orders.stage, "reserved"), mayBeOwed));
}
