import { and, asc, eq, lte, not, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { orderProblems, orders, pendingDecisions, removals, users } from "#app/db/schema.ts";
import { undoMinutes } from "#app/market.ts";
import { may } from "../accounts/permissions.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { addActivity, addActivityOf } from "../audit/activity.server.ts";
import {
  addRemoval,
  markUndone,
  type Removal,
  stillRemoved,
  undoableSince,
} from "../audit/removals.server.ts";
import type { NewProblemDecision } from "./order-problem.schema.ts";
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
  now = new Date(),
): Promise<ProblemOutcome> {
  const found = await findToDecide(db, moderator, problemId);
  if (!found) return "not found";
  const { problem, productName } = found;
  const { decision, amount, reason } = given;
  const isOfProblem = eq(pendingDecisions.problemId, problemId);
  const [pending] = await db.select().from(pendingDecisions).where(isOfProblem);
  if (pending) {
    const isSame = pending.reason === reason && pending.amountCents === (amount ?? null);
    return isSame && pending.actorId === moderator.id && pending.decision === decision
      ? "done"
      : "decided already";
  }
  const refusal = decisionRefusal(found, moderator, given);
  if (refusal) return refusal;
  const id = timeOrderedId({ msecs: now.getTime() });
  const isStill = and(eq(orderProblems.id, problemId), eq(orderProblems.lastStepId, problem.lastStepId));
  const refused = await batchUnless(
    db,
    {
      "decided already": not(hasRow(db, pendingDecisions, isOfProblem)),
      changed: hasRow(db, orderProblems, isStill),
    },
    [
      db.insert(pendingDecisions).values({
        id,
        problemId,
        decision,
        reason,
        amountCents: amount ?? null,
        actorId: moderator.id,
        lastStepId: problem.lastStepId,
        createdAt: now,
      }),
      addRemoval(db, moderator, "problem decision", { id, targetId: problemId, createdAt: now }),
      addActivity(db, moderator, "decided order problem", problem.orderId, productName),
    ],
  );
  return refused ?? "done";
}

/** The decision about a problem that is not carried out yet, with the name of who made it. */
export async function findPendingDecision(db: Db, problemId: string) {
  const [found] = await db
    .select({ pending: pendingDecisions, name: users.name })
    .from(pendingDecisions)
    .leftJoin(users, eq(users.id, pendingDecisions.actorId))
    .where(eq(pendingDecisions.problemId, problemId));
  if (!found) return null;
  const { id, actorId, decision, amountCents, reason, createdAt } = found.pending;
  const takesEffectAt = new Date(createdAt.getTime() + undoMinutes * 60_000);
  return { id, actorId, decision, amountCents, reason, by: found.name ?? formerMember, takesEffectAt };
}

/** Decisions that one run of the job carries out; the next run continues. */
const maxCarriedOut = 100;

/** Carries out the decisions that can no longer be undone. One whose problem has changed since is dropped. */
export async function carryOutDecisions(db: Db, now = new Date(), limit = maxCarriedOut): Promise<void> {
  const due = await db
    .select()
    .from(pendingDecisions)
    .where(lte(pendingDecisions.createdAt, undoableSince(now)))
    .orderBy(asc(pendingDecisions.createdAt))
    .limit(limit);
  for (const { id, problemId, actorId, decision, amountCents, reason, lastStepId } of due) {
    const own = eq(pendingDecisions.id, id);
    const given = { decision, reason, lastStepId, ...(amountCents !== null && { amount: amountCents }) };
    const drop = () => db.delete(pendingDecisions).where(own);
    // A run at the same moment, or an Undo, leaves nothing to carry out.
    await decideProblem(db, { id: actorId }, problemId, given, now, {
      condition: hasRow(db, pendingDecisions, own),
      also: [drop()],
    });
    // If it was refused.
    await drop();
  }
}

const orderOf = (db: Db, problemId: string) =>
  sql`(${db.select({ id: orderProblems.orderId }).from(orderProblems).where(eq(orderProblems.id, problemId))})`;

/** Undoes a decision that is not in effect yet; why that is not possible, or null. */
export function undoPendingDecision(db: Db, actor: Viewer, { id, targetId }: Removal) {
  // The role of a moderator may have been withdrawn since.
  if (!may(actor, "moderate")) return "not allowed";
  const pending = and(eq(pendingDecisions.id, id), eq(pendingDecisions.problemId, targetId));
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, stillRemoved(id)),
      "in effect": hasRow(db, pendingDecisions, pending),
    },
    [
      markUndone(db, { id }),
      db.delete(pendingDecisions).where(pending),
      addActivityOf(
        db,
        actor,
        "undid decision",
        orders,
        orders.productName,
        eq(orders.id, orderOf(db, targetId)),
      ),
    ],
  );
}
