import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, decisions, notifications, removals, signals, users } from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../../accounts/has-permission.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { removalValues } from "../../audit/removals.server.ts";
import { queueNewListing } from "../../listings/unmatched-listings.server.ts";
import { notificationValues } from "../../notifications/notify.server.ts";
import type { ModeratedTarget } from "../target.server.ts";
import type { ModeratorDecision } from "./decision.rules.ts";
import type { NewDecision } from "./decision.schema.ts";
import { applyEffects, liftEffects } from "./decision-effects.server.ts";
import { logDecision } from "./decision-log.server.ts";
import { previousDecision } from "./related-decisions.server.ts";

const one = { one: sql`1` };

/**
 * Makes a decision on a condition, in one batch. It closes all open reports and signals of the target, notifies its
 * owner, and can be undone for ten minutes. Returns its id; null if the condition is not met.
 *
 * @param keys.formKey idempotency key of the decision's own form
 * @param keys.bulkKey idempotency key of a bulk action
 */
export async function recordDecision(
  db: Db,
  moderator: Viewer,
  target: ModeratedTarget,
  { decision, reason, days }: Pick<NewDecision, "decision" | "reason"> & Partial<NewDecision>,
  condition: SQL,
  { formKey = null, bulkKey = null }: { formKey?: string | null; bulkKey?: string | null },
  now = new Date(),
): Promise<string | null> {
  const { kind, id: targetId } = target;
  const id = timeOrderedId();
  const until =
    decision === "suspend" && days !== "permanent" ? new Date(now.getTime() + Number(days) * dayMs) : null;
  const decided = exists(db.select(one).from(decisions).where(eq(decisions.id, id)));
  const previous = previousDecision(db, decision, target);
  const [inserted] = await db.batch([
    db
      .insert(decisions)
      .select(
        db
          .select({
            id: sql<string>`${id}`.as("id"),
            kind: sql<ModeratorDecision>`${decision}`.as("kind"),
            targetKind: sql<TargetKind>`${kind}`.as("target_kind"),
            targetId: sql<string>`${targetId}`.as("target_id"),
            target: sql<string>`${target.name}`.as("target"),
            ownerId: sql<string>`${target.ownerId}`.as("owner_id"),
            actorId: sql<string>`${moderator.id}`.as("actor_id"),
            reason: sql<string>`${reason}`.as("reason"),
            until: sql<Date | null>`${until?.getTime() ?? null}`.as("until"),
            createdAt: sql<Date>`${now.getTime()}`.as("created_at"),
            endedAt: sql<Date | null>`null`.as("ended_at"),
            previousId: sql<string | null>`${previous}`.as("previous_id"),
            formKey: sql<string | null>`${formKey}`.as("form_key"),
            appeal: sql<string | null>`null`.as("appeal"),
            appealedAt: sql<Date | null>`null`.as("appealed_at"),
          })
          .from(users)
          .where(
            and(eq(users.id, moderator.id), hasPermission("moderate"), isNull(users.removalId), condition),
          ),
      )
      .onConflictDoNothing()
      .returning({ id: decisions.id }),
    db.insert(removals).select(
      db
        .select(removalValues(id, moderator, "decision", decisions.targetId, bulkKey))
        .from(decisions)
        .where(eq(decisions.id, id)),
    ),
    db
      .update(contentReports)
      .set({ decisionId: id })
      .where(
        and(
          eq(contentReports.kind, kind),
          eq(contentReports.targetId, targetId),
          isNull(contentReports.decisionId),
          decided,
        ),
      ),
    db
      .update(signals)
      .set({ decisionId: id })
      .where(
        and(eq(signals.kind, kind), eq(signals.targetId, targetId), isNull(signals.decisionId), decided),
      ),
    ...effectsOf(db, id, decision, target, until, decided),
    db
      .update(decisions)
      .set({ endedAt: now })
      .where(
        and(
          eq(decisions.id, sql`(select made.previous_id from ${decisions} as made where made.id = ${id})`),
          isNull(decisions.endedAt),
          sql`${decision} <> 'uphold'`,
        ),
      ),
    ...(decision === "dismiss" ? [] : [notifyOwner(db, id)]),
    logDecision(db, moderator, id, decision),
  ]);
  return inserted[0]?.id ?? null;
}

function effectsOf(
  db: Db,
  id: string,
  kind: ModeratorDecision,
  target: ModeratedTarget,
  until: Date | null,
  decided: SQL,
) {
  const previousId = sql`(select ${decisions.previousId} from ${decisions} where ${decisions.id} = ${id})`;
  const lifted = () => liftEffects(db, previousId, decided);
  if (kind === "approve") return [...lifted(), queueNewListing(db, target.id, decided)];
  if (kind === "reverse") return lifted();
  const { kind: targetKind, id: targetId, ownerId } = target;
  return applyEffects(db, { id, kind, targetKind, targetId, ownerId, until }, decided, previousId);
}

/** Notifies the owner, unless the account has been removed. A ruling on an appeal leads to the appealed decision. */
function notifyOwner(db: Db, id: string) {
  const path = sql`'/manage/decisions/' || iif(${decisions.kind} in ('uphold', 'reverse'), ${decisions.previousId}, ${decisions.id})`;
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("decision", {
            userId: decisions.ownerId,
            subject: decisions.target,
            path,
            event: sql`'decision ' || ${decisions.id}`,
          }),
        )
        .from(decisions)
        .innerJoin(users, and(eq(users.id, decisions.ownerId), isNull(users.removalId)))
        .where(eq(decisions.id, id)),
    )
    .onConflictDoNothing();
}
