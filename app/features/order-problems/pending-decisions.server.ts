import { and, asc, eq, inArray, isNull, lte, not, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { OrderStage } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { orderProblems, orders, pendingDecisions, removals, users } from "#app/db/schema.ts";
import { undoMs } from "#app/terms.ts";
import { may } from "../accounts/permissions.ts";
import { formerMember, isSuspended, system, type Viewer } from "../accounts/viewer.ts";
import { addActivity, addActivityOf } from "../audit/activity.server.ts";
import {
  addRemoval,
  isNotUndone,
  markUndone,
  type Removal,
  undoableSince,
} from "../audit/removals.server.ts";
import { moneySplitOf, problemScope } from "./order-problem.rules.ts";
import type { NewProblemDecision } from "./order-problem.schema.ts";
import { decisionChoices } from "./order-problem-texts.ts";
import {
  decideProblem,
  decisionRefusal,
  findToDecide,
  type ProblemOutcome,
} from "./order-problems.server.ts";

/**
 * Stores a moderator’s decision about a problem. Until it can no longer be undone, nothing else changes: order, money and
 * deadlines stay as they are, and neither side is told. Of two decisions at once, one counts; the same again is stored once.
 */
export async function submitDecision(
  db: Db,
  moderator: Viewer,
  problemId: string,
  given: NewProblemDecision,
): Promise<ProblemOutcome> {
  const now = new Date();
  const found = await findToDecide(db, moderator, problemId);
  if (!found) return "not found";
  const { problem, productName, stage } = found;
  const { decision, amount, reason } = given;
  const isOfProblem = eq(pendingDecisions.problemId, problemId);
  const pendingOutcome = async (): Promise<ProblemOutcome | null> => {
    const [pending] = await db.select().from(pendingDecisions).where(isOfProblem);
    if (!pending) return null;
    const isSame = pending.decision === decision && pending.reason === reason;
    const isOwn = pending.actorId === moderator.id && pending.amountCents === (amount ?? null);
    return isSame && isOwn ? "done" : "decided already";
  };
  const outcome = (await pendingOutcome()) ?? decisionRefusal(found, moderator, given);
  if (outcome) return outcome;
  const id = timeOrderedId({ msecs: now.getTime() });
  const isUnanswered = and(eq(orderProblems.id, problemId), eq(orderProblems.lastStepId, problem.lastStepId));
  const refused = await batchUnless(
    db,
    {
      "decided already": not(hasRow(db, pendingDecisions, isOfProblem)),
      changed: and(hasRow(db, orderProblems, isUnanswered), isAtStage(db, problemId, stage)),
    },
    [
      db.insert(pendingDecisions).values({
        id,
        problemId,
        decision,
        reason,
        stage,
        amountCents: amount ?? null,
        actorId: moderator.id,
        lastStepId: problem.lastStepId,
        createdAt: now,
      }),
      addRemoval(db, moderator, "problem decision", { id, targetId: problemId, createdAt: now }),
      addActivity(db, moderator, "decided order problem", problem.orderId, productName, { id }),
    ],
  );
  // Of the same form sent twice at once, both are answered alike.
  return refused === "decided already" ? ((await pendingOutcome()) ?? refused) : (refused ?? "done");
}

/**
 * The stage of the order, what can be decided about its problem, and how this decision splits the money that is held; null
 * if this decision is refused.
 */
export async function findDecidable(db: Db, moderator: Viewer, problemId: string, given: NewProblemDecision) {
  const found = await findToDecide(db, moderator, problemId);
  if (!found || decisionRefusal(found, moderator, given)) return null;
  const isPending = eq(pendingDecisions.problemId, problemId);
  if ((await db.$count(pendingDecisions, isPending)) > 0) return null;
  const { problem, stage } = found;
  const { decision, amount = 0 } = given;
  const refundable = found.refundable === null ? null : found.refundable - amount;
  const decided = { kind: problem.kind, state: decision, lastKind: "decided" } as const;
  return {
    stage,
    choices: decisionChoices(problemScope(problem.kind, stage)),
    split: moneySplitOf(decided, stage, { ...found, refundable }),
  };
}

/** Condition: the order of a problem is at that stage. What a decision means depends on who has the device. */
function isAtStage(db: Db, problemId: string, stage: OrderStage) {
  return hasRow(db, orders, and(isOrderOf(db, problemId), eq(orders.stage, stage)));
}

/** A column of `pendingDecisions`. */
export const takesEffectAt = sql`${pendingDecisions.createdAt} + ${undoMs}`
  .mapWith(pendingDecisions.createdAt)
  .as("takes_effect_at");

/** The decision about a problem that is not carried out yet, with the name of who made it. */
export async function findPendingDecision(db: Db, problemId: string) {
  const [found] = await db
    .select({ pending: pendingDecisions, takesEffectAt, name: users.name })
    .from(pendingDecisions)
    .leftJoin(users, eq(users.id, pendingDecisions.actorId))
    .where(eq(pendingDecisions.problemId, problemId));
  if (!found) return null;
  const { id, actorId, decision, amountCents, reason, createdAt } = found.pending;
  const isUndoable = createdAt > undoableSince();
  const by = found.name ?? formerMember;
  return {
    id,
    actorId,
    decision,
    amountCents,
    reason,
    by,
    takesEffectAt: found.takesEffectAt,
    isUndoable,
  };
}

/** Decisions that one run of the job carries out; the next run continues. */
const maxCarriedOut = 100;

/**
 * Carries out the decisions that can no longer be undone. One is dropped whose problem or order has changed since, or whose
 * moderator may not decide anymore.
 */
export async function carryOutDecisions(db: Db, now = new Date()): Promise<void> {
  const due = await db
    .select({
      pending: pendingDecisions,
      actor: users,
    })
    .from(pendingDecisions)
    .leftJoin(users, and(eq(users.id, pendingDecisions.actorId), isNull(users.removalId)))
    .where(lte(pendingDecisions.createdAt, undoableSince(now)))
    .orderBy(asc(pendingDecisions.createdAt))
    .limit(maxCarriedOut);
  for (const { pending, actor } of due) {
    const { id, problemId, decision, amountCents, reason, stage, lastStepId } = pending;
    const isPending = hasRow(db, pendingDecisions, eq(pendingDecisions.id, id));
    const end = db.delete(pendingDecisions).where(eq(pendingDecisions.id, id));
    const given = { decision, reason, lastStepId, ...(amountCents !== null && { amount: amountCents }) };
    const mayDecide = actor !== null && may(actor, "moderate") && !isSuspended(actor, now);
    const outcome =
      mayDecide &&
      (await decideProblem(db, actor, problemId, given, now, {
        condition: and(isPending, isAtStage(db, problemId, stage)),
        also: [end],
        madeAt: pending.createdAt,
      }));
    // A run at the same moment, or an Undo, leaves nothing to drop.
    if (outcome !== "done")
      await batchUnless(db, { "ended before": isPending }, [
        end,
        addActivityOf(db, system, "dropped decision", orders, orders.productName, isOrderOf(db, problemId)),
      ]);
  }
}

function isOrderOf(db: Db, problemId: string) {
  const ofProblem = db
    .select({ id: orderProblems.orderId })
    .from(orderProblems)
    .where(eq(orderProblems.id, problemId));
  return inArray(orders.id, ofProblem);
}

/** Undoes a decision that is not in effect yet; why that is not possible, or null. */
export function undoPendingDecision(db: Db, actor: Viewer, { id, targetId }: Removal) {
  // The role of a moderator may have been withdrawn since.
  if (!may(actor, "moderate")) return "not allowed";
  const pending = and(eq(pendingDecisions.id, id), eq(pendingDecisions.problemId, targetId));
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(id)),
      "in effect": hasRow(db, pendingDecisions, pending),
    },
    [
      markUndone(db, { id }),
      db.delete(pendingDecisions).where(pending),
      addActivityOf(db, actor, "undid decision", orders, orders.productName, isOrderOf(db, targetId)),
    ],
  );
}
