import { and, eq, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { OrderStage, ProblemDecision, ProblemKind, ProblemState } from "#app/db/enums.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { orderProblemSteps, orderProblems, orders, pendingDecisions, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { isOfOthers } from "./order-problems.server.ts";
import { takesEffectAt } from "./pending-decisions.server.ts";

/** A decision in the list of all. */
export interface DecidedProblem {
  id: string;
  problem: { id: string; kind: ProblemKind; state: ProblemState; stage: OrderStage; productName: string };
  moderator: string | null;
  /** Null once it is in effect: the state of the problem tells it. */
  decision: ProblemDecision | null;
  amountCents: number | null;
  reason: string;
  createdAt: Date;
  /** Null once it is in effect. */
  takesEffectAt: Date | null;
  canUndo: boolean;
}

/** Whether a decision about a problem can still take effect. */
export const isUndecided = ({ state }: Pick<DecidedProblem["problem"], "state">) =>
  state === "with moderators";

/** What a decision is about, for moderators. */
const problemColumns = {
  problem: {
    id: sql<string>`${orderProblems.id}`.as("problem_id"),
    kind: sql<ProblemKind>`${orderProblems.kind}`.as("problem_kind"),
    state: sql<ProblemState>`${orderProblems.state}`.as("problem_state"),
    stage: sql<OrderStage>`${orders.stage}`.as("order_stage"),
    productName: orders.productName,
  },
  moderator: users.name,
};

/** Selects what moderators have decided about the problems of others, the newest first. */
export function selectDecidedProblems(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(orderProblemSteps.id, cursor);
  return db
    .select({
      id: orderProblemSteps.id,
      ...problemColumns,
      decision: sql<null>`null`.as("no_decision"),
      amountCents: orderProblemSteps.amountCents,
      reason: orderProblemSteps.text,
      createdAt: orderProblemSteps.createdAt,
      takesEffectAt: sql<Date | null>`null`.as("no_time"),
      isOwn: eq(orderProblemSteps.actorId, viewer.id).mapWith(Boolean).as("is_own"),
    })
    .from(orderProblemSteps)
    .innerJoin(orderProblems, eq(orderProblems.id, orderProblemSteps.problemId))
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .leftJoin(users, eq(users.id, orderProblemSteps.actorId))
    .where(
      and(
        eq(orderProblemSteps.kind, "decided"),
        // Decided by the bank.
        ne(orderProblems.kind, "bank dispute"),
        isOfOthers(viewer),
        afterCursor,
      ),
    )
    .orderBy(orderBy)
    .limit(limit);
}

/** Selects those that can still be undone, or take effect with the next run of the jobs. */
export function selectPendingDecisions(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(pendingDecisions.id, cursor);
  return db
    .select({
      id: pendingDecisions.id,
      ...problemColumns,
      decision: pendingDecisions.decision,
      amountCents: pendingDecisions.amountCents,
      reason: pendingDecisions.reason,
      createdAt: pendingDecisions.createdAt,
      takesEffectAt,
      isOwn: eq(pendingDecisions.actorId, viewer.id).mapWith(Boolean).as("is_own"),
    })
    .from(pendingDecisions)
    .innerJoin(orderProblems, eq(orderProblems.id, pendingDecisions.problemId))
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .leftJoin(users, eq(users.id, pendingDecisions.actorId))
    .where(and(isOfOthers(viewer), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}
