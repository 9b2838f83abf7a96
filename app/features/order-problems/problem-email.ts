import { dayLabel } from "#app/time.ts";
import { orderNumber } from "../orders/order.rules.ts";
import { problemName, problemScope } from "./order-problem.rules.ts";
import type { findProblemFacts } from "./order-problem-details.server.ts";
import { handoverText, problemStatusText } from "./order-problem-texts.ts";

type ProblemFacts = Awaited<ReturnType<typeof findProblemFacts>>[number];

/** What an email says of a problem to one of its sides: the device, what it is about, who acts by when, and why it was decided so. */
export function problemFacts(
  { orderId, buyerId, kind, stage, deadlineAt, productName, reason, ...problem }: ProblemFacts,
  readerId: string,
  now = new Date(),
): [term: string, value: string][] {
  const role = readerId === buyerId ? "buyer" : "seller";
  const isOverdue = deadlineAt !== null && deadlineAt < now;
  const stated = { ...problem, kind, scope: problemScope(kind, stage), isOverdue };
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
