import { and, eq, exists, gt, isNull, not, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { decisions, orderProblems, orders, phones, removals } from "#app/db/schema.ts";
import { undoMs } from "#app/terms.ts";
import type { Actor, Viewer } from "../accounts/viewer.ts";

type RemovalKind = (typeof removals.$inferSelect)["kind"];

/** Condition on `removals`: this one, not undone. */
export function isNotUndone(removalId: string) {
  return and(eq(removals.id, removalId), isNull(removals.undoneAt));
}

/** What was done since this time can be undone. */
export function undoableSince(now = new Date()): Date {
  return new Date(now.getTime() - undoMs);
}

/** The id of what was done, to undo it; or why nothing was. */
export type RemovalOutcome<Refusal> =
  | { removalId: string; refusal?: undefined }
  | { removalId?: undefined; refusal: Refusal };

/** A removal, and the id of what it removed. */
export interface Removal {
  id: string;
  targetId: string;
}

/** How removals of a kind are undone. Each feature has one for its own. */
export interface UndoHandler {
  /** Undoes a removal; why that is not possible any more, or null. */
  undo(db: Db, actor: Viewer, removal: Removal): Promise<string | null>;
  /** Whether the target is still as the undo left it. If so, repeating the undo succeeds. */
  isUndone(db: Db, targetId: string): Promise<boolean>;
  /** `many` follows a number: "users restored". `refusals` are more exact than `impossible`. */
  texts: { undone: string; many: string; impossible: string; refusals?: Record<string, string> };
}

/** A statement: records a removal, which its actor can undo. @param formKey idempotency key of a bulk action */
export function addRemoval(
  db: Db,
  actor: Pick<Actor, "id">,
  kind: RemovalKind,
  removal: Removal & { formKey?: string | null; createdAt?: Date },
) {
  return db.insert(removals).values({ ...removal, kind, actorId: actor.id });
}

/** A statement: a removal has been undone. */
export function markUndone(db: Db, { id }: Pick<Removal, "id">, now = new Date()) {
  return db.update(removals).set({ undoneAt: now }).where(eq(removals.id, id));
}

/** Condition on `phones`: its order has ended, and its seller has not listed it again. */
export function isReturned(db: Db) {
  return hasRow(db, orders, eq(orders.id, phones.hiddenById));
}

/** Condition on `phones`: it is to come back to its seller, who has reported that it has not; that is not settled. */
export function isNotBack(db: Db) {
  const { orderId, kind, endedAt } = orderProblems;
  return hasRow(
    db,
    orderProblems,
    and(eq(orderId, phones.hiddenById), eq(kind, "not returned"), isNull(endedAt)),
  );
}

/** Condition on `removals`: made by the actor, and not too long ago to be undone. */
export function isUndoableBy(actor: Pick<Viewer, "id">) {
  return and(eq(removals.actorId, actor.id), gt(removals.createdAt, undoableSince()));
}

/** Condition: a later decision, which nobody has undone, replaces a decision or rules on it. */
export function hasLaterDecision(db: Db, decisionId: string | SQLWrapper) {
  const [later, ofLater] = [alias(decisions, "later"), alias(removals, "of_later")];
  return exists(
    db
      .select({ one: sql`1` })
      .from(later)
      .innerJoin(ofLater, and(eq(ofLater.id, later.id), isNull(ofLater.undoneAt)))
      .where(eq(later.previousId, decisionId)),
  );
}

/** Condition on `removals`: the actor can undo it now. */
export function canUndo(db: Db, actor: Pick<Viewer, "id">) {
  return and(isUndoableBy(actor), isNull(removals.undoneAt), not(hasLaterDecision(db, removals.id)));
}

/** Finds a removal that the actor may still undo or has undone; null if it is too late or by another user. */
export async function findUndoable(db: Db, actor: Viewer, removalId: string) {
  const [removal] = await db
    .select({ kind: removals.kind, targetId: removals.targetId, undoneAt: removals.undoneAt })
    .from(removals)
    .where(and(eq(removals.id, removalId), isUndoableBy(actor)));
  return removal ?? null;
}
