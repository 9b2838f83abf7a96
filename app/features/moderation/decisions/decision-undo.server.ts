import { and, eq, isNull, not, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  contentReports,
  decisions,
  notifications,
  phones,
  removals,
  signals,
  users,
} from "#app/db/schema.ts";
import { may } from "../../accounts/permissions.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { addActivity } from "../../audit/activity.server.ts";
import { markUndone, type Removal, stillRemoved } from "../../audit/removals.server.ts";
import { applyEffects, liftEffects } from "./decision-effects.server.ts";
import { hasLaterDecision } from "./related-decisions.server.ts";

const one = { one: sql`1` };

type Decision = typeof decisions.$inferSelect;

/**
 * Undoes a decision and opens its reports and signals again; false if a later decision depends on it, or an approved
 * listing has been booked or removed since.
 */
export async function undoDecision(
  db: Db,
  actor: Viewer,
  { id }: Pick<Removal, "id">,
  now = new Date(),
): Promise<boolean> {
  // The role of a moderator may have been withdrawn since.
  if (!may(actor, "moderate")) return false;
  const [decision] = await db.select().from(decisions).where(eq(decisions.id, id));
  if (!decision) return false;
  const { previousId, kind } = decision;
  const [found] = previousId ? await db.select().from(decisions).where(eq(decisions.id, previousId)) : [];
  // What had ended before, such as a suspension that was over when its appeal was answered, stays so.
  const previous = found?.endedAt?.getTime() === decision.createdAt.getTime() ? found : undefined;
  const other = alias(contentReports, "other");
  const reportedAgain = db
    .select(one)
    .from(other)
    .where(
      and(
        eq(other.kind, contentReports.kind),
        eq(other.targetId, contentReports.targetId),
        eq(other.reporterId, contentReports.reporterId),
        isNull(other.decisionId),
      ),
    );
  const isDependedOn = hasRow(db, decisions, and(eq(decisions.id, id), hasLaterDecision(db)));
  const refusal = await batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, stillRemoved(id)),
      "later decision": not(isDependedOn),
      "listing changed": kind === "approve" ? isStillListed(db, decision) : undefined,
    },
    [
      markUndone(db, { id }, now),
      ...revertedEffects(db, decision, previous),
      db
        .update(contentReports)
        .set({ decisionId: null })
        .where(and(eq(contentReports.decisionId, id), notExists(reportedAgain))),
      db
        .update(signals)
        .set({ decisionId: null })
        .where(
          and(
            eq(signals.kind, decision.targetKind),
            eq(signals.targetId, decision.targetId),
            eq(signals.decisionId, id),
          ),
        ),
      ...(previous ? [db.update(decisions).set({ endedAt: null }).where(eq(decisions.id, previous.id))] : []),
      db.update(decisions).set({ endedAt: now }).where(eq(decisions.id, id)),
      db
        .delete(notifications)
        .where(and(eq(notifications.userId, decision.ownerId), eq(notifications.event, `decision ${id}`))),
      addActivity(db, actor, "undid decision", decision.targetId, decision.target),
    ],
  );
  return !refusal;
}

/** The listing of an approval has not been booked, changed or removed since. */
function isStillListed(db: Db, { targetId }: Decision) {
  return hasRow(
    db,
    phones,
    and(eq(phones.id, targetId), eq(phones.status, "available"), isNull(phones.removalId)),
  );
}

function revertedEffects(db: Db, decision: Decision, previous: Decision | undefined) {
  if (decision.kind === "approve" || decision.kind === "reverse") {
    return previous ? applyEffects(db, previous) : [];
  }
  return previous ? restorePrevious(db, decision, previous) : liftEffects(db, decision.id);
}

/** Puts back what the decision replaced: a hold of the listing, or a suspension of the owner. */
function restorePrevious(db: Db, { id, ownerId }: Decision, previous: Decision) {
  return [
    db.update(phones).set({ removalId: previous.id }).where(eq(phones.removalId, id)),
    db
      .update(users)
      .set({ suspensionId: previous.id, suspendedUntil: previous.until })
      .where(and(eq(users.id, ownerId), eq(users.suspensionId, id))),
  ];
}
