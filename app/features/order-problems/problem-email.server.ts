import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { orderProblems, orders } from "#app/db/schema.ts";
import { dayLabel } from "#app/ui/date-label.ts";
import { orderNumber } from "../orders/order.rules.ts";
import { problemName, problemScope, problemStatusText } from "./order-problem.rules.ts";

type ProblemFacts = Awaited<ReturnType<typeof findProblemFacts>>[number];

/** The newest problem of each order, for emails about it. */
export function findProblemFacts(db: Db, orderIds: string[]) {
  const later = alias(orderProblems, "later");
  const newest = db
    .select({ id: sql`max(${later.id})` })
    .from(later)
    .where(eq(later.orderId, orderProblems.orderId));
  return db
    .select({
      orderId: orderProblems.orderId,
      buyerId: orderProblems.buyerId,
      kind: orderProblems.kind,
      state: orderProblems.state,
      openedBy: orderProblems.openedBy,
      deadlineAt: orderProblems.deadlineAt,
      productName: orders.productName,
      stage: orders.stage,
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .where(and(inArray(orderProblems.orderId, orderIds), eq(orderProblems.id, sql`(${newest})`)));
}

/** What an email says of a problem to one of its sides: the device, what it is about, and who acts by when. */
export function problemFacts(
  { orderId, buyerId, kind, stage, deadlineAt, productName, ...problem }: ProblemFacts,
  readerId: string,
  now = new Date(),
): [term: string, value: string][] {
  const role = readerId === buyerId ? "buyer" : "seller";
  const isOverdue = deadlineAt !== null && deadlineAt < now;
  const stated = { ...problem, scope: problemScope(kind, stage), isOverdue };
  return [
    ["Order number", orderNumber(orderId)],
    ["Device", productName],
    ["Problem", problemName(kind)],
    ["Now", problemStatusText(stated, role, deadlineAt ? dayLabel(deadlineAt.toISOString()) : "")],
  ];
}
