import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { orderProblemSteps, orderProblems, orders } from "#app/db/schema.ts";
import { dayLabel } from "#app/time.ts";
import { orderNumber, parcelOf } from "../orders/order.rules.ts";
import { goneSide, parcelColumns } from "../orders/order-steps.server.ts";
import { problemName, problemScope } from "./order-problem.rules.ts";
import { handoverText, problemStatusText } from "./order-problem-texts.ts";

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
      parcel: parcelColumns,
      gone: goneSide(db).as("gone"),
      reason: sql<
        string | null
      >`iif(${orderProblemSteps.kind} = 'decided', ${orderProblemSteps.text}, null)`.as("reason"),
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .innerJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(and(inArray(orderProblems.orderId, orderIds), eq(orderProblems.id, sql`(${newest})`)));
}

type ProblemFacts = Awaited<ReturnType<typeof findProblemFacts>>[number];

/** What an email says of a problem to one of its sides: the device, what it is about, who acts by when, and why it was decided so. */
export function problemEmailFacts(
  { orderId, buyerId, kind, stage, deadlineAt, productName, parcel, reason, gone, ...problem }: ProblemFacts,
  readerId: string,
  now = new Date(),
): [term: string, value: string][] {
  const role = readerId === buyerId ? "buyer" : "seller";
  const isOverdue = deadlineAt !== null && deadlineAt < now;
  const isOtherGone = gone !== null;
  const scope = problemScope(kind, stage);
  const stated = { ...problem, kind, scope, isOverdue, isOtherGone, parcel: parcelOf(parcel) };
  const handover = handoverText(stated, role);
  return [
    ["Order number", orderNumber(orderId)],
    ["Device", productName],
    ["Problem", problemName(kind)],
    [
      deadlineAt ? "Next step" : "State",
      problemStatusText(stated, role, deadlineAt ? dayLabel(deadlineAt.toISOString()) : ""),
    ],
    ...(handover ? [["Handover", handover] satisfies [string, string]] : []),
    ...(reason ? [["Reason", reason] satisfies [string, string]] : []),
  ];
}
