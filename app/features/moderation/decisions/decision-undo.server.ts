import { and, eq, exists, isNull, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
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
import { activityValues } from "../../audit/activity.server.ts";
import { stillRemoved } from "../../audit/removals.server.ts";
import { applyEffects, liftEffects } from "./decision-effects.server.ts";
import { hasLaterDecision } from "./related-decisions.server.ts";

const one = { one: sql`1` };

type Decision = typeof decisions.$inferSelect;

/**
 * Undoes a decision and opens its reports and signals again; false if a later decision depends on it, or an approved
 * listing has been booked or removed since.
 */
export async function undoDecision(db: Db, actor: Viewer, id: string, now = new Date()): Promise<boolean> {
  // The role of a moderator may have been withdrawn since.
  if (!may(actor, "moderate")) return false;
  const [decision] = await db.select().from(decisions).where(eq(decisions.id, id));
  if (!decision) return false;
  const { previousId, kind } = decision;
  const [found] = previousId ? await db.select().from(decisions).where(eq(decisions.id, previousId)) : [];
  // What had ended before, such as a suspension that was over when its appeal was answered, stays so.
  const previous = found?.endedAt?.getTime() === decision.createdAt.getTime() ? found : undefined;
  const undone = exists(
    db
      .select(one)
      .from(removals)
      .where(and(eq(removals.id, id), eq(removals.undoneAt, now))),
  );
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
  const [marked] = await db.batch([
    db
      .update(removals)
      .set({ undoneAt: now })
      .where(
        and(
          stillRemoved(id),
          notExists(
            db
              .select(one)
              .from(decisions)
              .where(and(eq(decisions.id, id), hasLaterDecision(db))),
          ),
          kind === "approve" ? exists(approvedPhone(db, decision)) : undefined,
        ),
      )
      .returning({ id: removals.id }),
    ...revertedEffects(db, decision, previous, undone),
    db
      .update(contentReports)
      .set({ decisionId: null })
      .where(and(eq(contentReports.decisionId, id), notExists(reportedAgain), undone)),
    db
      .update(signals)
      .set({ decisionId: null })
      .where(
        and(
          eq(signals.kind, decision.targetKind),
          eq(signals.targetId, decision.targetId),
          eq(signals.decisionId, id),
          undone,
        ),
      ),
    ...(previous
      ? [
          db
            .update(decisions)
            .set({ endedAt: null })
            .where(and(eq(decisions.id, previous.id), undone)),
        ]
      : []),
    db
      .update(decisions)
      .set({ endedAt: now })
      .where(and(eq(decisions.id, id), undone)),
    db
      .delete(notifications)
      .where(
        and(eq(notifications.userId, decision.ownerId), eq(notifications.event, `decision ${id}`), undone),
      ),
    db.insert(activity).select(
      db
        .select(activityValues(actor, "undid decision", decisions.targetId, decisions.target))
        .from(decisions)
        .where(and(eq(decisions.id, id), undone)),
    ),
  ]);
  return marked.length > 0;
}

/** The listing of an approval that nobody has booked, changed or removed since. */
function approvedPhone(db: Db, { targetId }: Decision) {
  return db
    .select(one)
    .from(phones)
    .where(and(eq(phones.id, targetId), eq(phones.status, "available"), isNull(phones.removalId)));
}

function revertedEffects(db: Db, decision: Decision, previous: Decision | undefined, undone: SQL) {
  if (decision.kind === "approve" || decision.kind === "reverse") {
    return previous ? applyEffects(db, previous, undone) : [];
  }
  if (previous) return restorePrevious(db, decision, previous, undone);
  return liftEffects(db, decision.id, undone);
}

/** Puts back what the decision replaced: a hold of the listing, or a suspension of the owner. */
function restorePrevious(db: Db, { id, ownerId }: Decision, previous: Decision, undone: SQL) {
  return [
    db
      .update(phones)
      .set({ removalId: previous.id })
      .where(and(eq(phones.removalId, id), undone)),
    db
      .update(users)
      .set({ suspensionId: previous.id, suspendedUntil: previous.until })
      .where(and(eq(users.id, ownerId), eq(users.suspensionId, id), undone)),
  ] as const;
}
