import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { contentReports, decisions, notifications, signals, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../../accounts/has-permission.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { addRemoval } from "../../audit/removals.server.ts";
import { queueNewListing } from "../../listings/unmatched-listings.server.ts";
import { notificationValues } from "../../notifications/notify.server.ts";
import type { ModeratedTarget } from "../target.server.ts";
import type { ModeratorDecision } from "./decision.rules.ts";
import type { NewDecision } from "./decision.schema.ts";
import { applyEffects, liftEffects } from "./decision-effects.server.ts";
import { logDecision } from "./decision-log.server.ts";
import { previousDecision } from "./related-decisions.server.ts";

/**
 * Makes a decision if the moderator still is one and all conditions hold. It closes all open reports and signals of the
 * target, notifies its owner, and can be undone for ten minutes.
 *
 * @param conditions what must hold, by the refusal that follows if it does not
 * @param keys.formKey idempotency key of the decision's own form
 * @param keys.bulkKey idempotency key of a bulk action
 */
export async function recordDecision<Refusal extends string>(
  db: Db,
  moderator: Viewer,
  target: ModeratedTarget,
  { decision, reason, days }: Pick<NewDecision, "decision" | "reason"> & Partial<NewDecision>,
  conditions: Parameters<typeof batchUnless<Refusal>>[1],
  { formKey = null, bulkKey = null }: { formKey?: string | null; bulkKey?: string | null },
  now = new Date(),
): Promise<{ id: string; refusal: null } | { refusal: Refusal | "not allowed" | "repeated" }> {
  const { kind, id: targetId, ownerId } = target;
  const id = timeOrderedId();
  const until =
    decision === "suspend" && days !== "permanent" ? new Date(now.getTime() + Number(days) * dayMs) : null;
  const isModerator = and(eq(users.id, moderator.id), hasPermission("moderate"), isNull(users.removalId));
  const previousId = sql`(select ${decisions.previousId} from ${decisions} where ${decisions.id} = ${id})`;
  const refusal = await batchUnless<Refusal | "not allowed" | "repeated">(
    db,
    {
      "not allowed": hasRow(db, users, isModerator),
      repeated: formKey ? sql`not ${hasRow(db, decisions, eq(decisions.formKey, formKey))}` : undefined,
      ...conditions,
    },
    [
      db.insert(decisions).values({
        id,
        kind: decision,
        targetKind: kind,
        targetId,
        target: target.name,
        ownerId,
        actorId: moderator.id,
        reason,
        until,
        createdAt: now,
        previousId: previousDecision(db, decision, target),
        formKey,
      }),
      addRemoval(db, moderator, "decision", { id, targetId, formKey: bulkKey }),
      db
        .update(contentReports)
        .set({ decisionId: id })
        .where(
          and(
            eq(contentReports.kind, kind),
            eq(contentReports.targetId, targetId),
            isNull(contentReports.decisionId),
          ),
        ),
      db
        .update(signals)
        .set({ decisionId: id })
        .where(and(eq(signals.kind, kind), eq(signals.targetId, targetId), isNull(signals.decisionId))),
      ...(decision === "approve" || decision === "reverse"
        ? liftEffects(db, previousId)
        : applyEffects(db, { id, kind: decision, targetKind: kind, targetId, ownerId, until }, previousId)),
      ...(decision === "approve" ? [queueNewListing(db, targetId)] : []),
      ...(decision === "uphold" ? [] : [endDecision(db, previousId, now)]),
      ...(decision === "dismiss" ? [] : [notifyOwner(db, id, decision)]),
      logDecision(db, moderator, id, decision),
    ],
  );
  return refusal === null ? { id, refusal } : { refusal };
}

function endDecision(db: Db, id: SQL, now: Date) {
  return db
    .update(decisions)
    .set({ endedAt: now })
    .where(and(eq(decisions.id, id), isNull(decisions.endedAt)));
}

/** Notifies the owner, unless the account has been removed. A ruling on an appeal leads to the appealed decision. */
function notifyOwner(db: Db, id: string, decision: ModeratorDecision) {
  const shown = decision === "uphold" || decision === "reverse" ? decisions.previousId : decisions.id;
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("decision", {
            userId: decisions.ownerId,
            subject: decisions.target,
            path: sql`'/manage/decisions/' || ${shown}`,
            event: `decision ${id}`,
          }),
        )
        .from(decisions)
        .innerJoin(users, and(eq(users.id, decisions.ownerId), isNull(users.removalId)))
        .where(eq(decisions.id, id)),
    )
    .onConflictDoNothing();
}
