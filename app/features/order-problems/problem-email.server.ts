import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { ProblemStepKind } from "#app/db/enums.ts";
import { orderProblemSteps, orderProblems, orders } from "#app/db/schema.ts";
import { dateTimeLabel, dayLabel } from "#app/time.ts";
import { parcelOf } from "../orders/order.rules.ts";
import { endColumn, goneSide, parcelColumns } from "../orders/order-steps.server.ts";
import { orderNumber } from "../orders/order-texts.ts";
import { isFullyRefunded, protectedPaymentText } from "../payments/payment-texts.ts";
import { paidColumns, refundableCents } from "../payments/protected-orders.server.ts";
import { isDecidedByBank, moneySplitOf, problemName, problemScope } from "./order-problem.rules.ts";
import { handoverText, moneySplitText, problemStatusText } from "./order-problem-texts.ts";
import { openFirst } from "./order-problems.server.ts";

/** For each notification of an order's problem, the problem that it tells of; that of a handover leads to the open one. */
export async function findProblemFacts(db: Db, notices: { orderId: string; event: string }[]) {
  const stepOf = ({ event }: { event: string }) => event.split(" ").at(-1) ?? "";
  const [problems, steps] = await db.batch([
    selectProblemFacts(
      db,
      notices.map(({ orderId }) => orderId),
    ),
    db
      .select({ id: orderProblemSteps.id, problemId: orderProblemSteps.problemId })
      .from(orderProblemSteps)
      .where(inArray(orderProblemSteps.id, notices.map(stepOf))),
  ]);
  const found = notices.map((notice) => {
    const step = steps.find(({ id }) => id === stepOf(notice));
    const problem =
      problems.find(({ id }) => id === step?.problemId) ??
      problems.find(({ orderId }) => orderId === notice.orderId);
    return problem && { ...problem, hasMovedOn: step !== undefined && step.id !== problem.lastStepId };
  });
  return Promise.all(
    found.map(
      async (problem) =>
        problem && {
          ...problem,
          // What a bank has decided splits nothing: the payment says where the money is.
          payment:
            isDecidedByBank(problem.kind) && problem.state !== "open"
              ? await (await import("../payments/payments.server.ts")).findPayment(db, problem.orderId)
              : null,
        },
    ),
  );
}

function selectProblemFacts(db: Db, orderIds: string[]) {
  return db
    .select({
      id: orderProblems.id,
      lastStepId: orderProblems.lastStepId,
      orderId: orderProblems.orderId,
      buyerId: orderProblems.buyerId,
      kind: orderProblems.kind,
      state: orderProblems.state,
      openedBy: orderProblems.openedBy,
      deadlineAt: orderProblems.deadlineAt,
      productName: orders.productName,
      stage: orders.stage,
      status: orders.status,
      orderEnd: endColumn(db).as("ends_at"),
      parcel: parcelColumns,
      gone: goneSide(db).as("gone"),
      lastKind: sql<ProblemStepKind>`${orderProblemSteps.kind}`.as("last_kind"),
      refundable: refundableCents.as("refundable_cents"),
      ...paidColumns,
      reason: sql<
        string | null
      >`iif(${orderProblemSteps.kind} = 'decided', ${orderProblemSteps.text}, null)`.as("reason"),
      hasEndedWithOrder: eq(orderProblemSteps.kind, "ended").mapWith(Boolean).as("has_ended_with_order"),
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .innerJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(inArray(orderProblems.orderId, orderIds))
    .orderBy(...openFirst);
}

type ProblemFacts = NonNullable<Awaited<ReturnType<typeof findProblemFacts>>[number]>;

/** What an email says of a problem to one of its sides: the device, what it is about, who acts by when, and why it was decided so. */
export function problemEmailFacts(
  {
    id: _,
    lastStepId: _lastStepId,
    hasMovedOn,
    orderId,
    buyerId,
    kind,
    stage,
    deadlineAt,
    productName,
    parcel,
    reason,
    gone,
    status,
    orderEnd,
    payment,
    ...problem
  }: ProblemFacts,
  readerId: string,
): [term: string, value: string][] {
  const about: [term: string, value: string][] = [
    ["Order number", orderNumber(orderId)],
    ["Device", productName],
    ["Problem", problemName(kind)],
  ];
  // Where it stands now is not what the email tells of.
  if (hasMovedOn) return [...about, ["State", "More has happened since. The order’s page says what."]];
  const role = readerId === buyerId ? "buyer" : "seller";
  const isOverdue = deadlineAt !== null && deadlineAt < new Date();
  const isOtherGone = gone !== null;
  const scope = problemScope(kind, stage);
  const stated = { ...problem, kind, scope, isOverdue, isOtherGone, parcel: parcelOf(parcel) };
  const handover = handoverText(stated, role);
  const split = moneySplitOf({ ...problem, kind }, stage, problem);
  const money = split
    ? moneySplitText(split, role)
    : payment &&
      protectedPaymentText(role, payment, { timeLabel: dateTimeLabel, recentLabel: dateTimeLabel });
  return [
    ...about,
    [
      deadlineAt ? "Next step" : "State",
      problemStatusText(stated, role, deadlineAt ? dayLabel(deadlineAt.toISOString()) : ""),
    ],
    ...(money ? [["Money", money] satisfies [string, string]] : []),
    // A problem that has ended leaves the order its new date, unless all is paid back.
    ...(!deadlineAt && status === "active" && orderEnd && !isFullyRefunded(problem.refundable)
      ? [
          [stage === "reserved" ? "Handover by" : "Confirm by", dayLabel(orderEnd.toISOString())] satisfies [
            string,
            string,
          ],
        ]
      : []),
    ...(handover ? [["Handover", handover] satisfies [string, string]] : []),
    ...(reason ? [["Reason", reason] satisfies [string, string]] : []),
  ];
}
