import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders } from "#app/db/schema.ts";
import { problemDays } from "#app/terms.ts";
import { endedAt, hasOpenProblem, windowEnd } from "../audit/order-windows.server.ts";

/** Until when an ended order can be reported, in milliseconds; null as long as it goes on. */
export const problemOpenableUntil = (now: Date) => windowEnd(orders.id, endedAt, problemDays.refund, now);

/** Condition on `orders`: its sides can write to each other. After a handover they can while something may be owed. */
export function isOpenToMessages(db: Db, now = new Date()) {
  const mayBeOwed = or(hasOpenProblem(db), sql`${problemOpenableUntil(now)} > ${now.getTime()}`);
  return or(eq(orders.status, "active"), and(ne(orders.stage, "reserved"), mayBeOwed));
}
