import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, decisions, removals, users } from "#app/db/schema.ts";
import type { ReportTarget } from "#app/db/values.ts";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { removalValues } from "../audit/removals.server.ts";
import { queueNewListing } from "../listings/unmatched-listings.server.ts";
import type { ModeratorDecision } from "./decision.rules.ts";
import type { NewDecision } from "./decision.schema.ts";
import { decisionConditions, previousDecision } from "./decision-conditions.server.ts";
import { applyEffects, liftEffects } from "./decision-effects.server.ts";
import { notifyOwner, recordDecision } from "./decision-records.server.ts";
import { findTarget, type ModeratedTarget } from "./target.server.ts";

/** "already decided": another moderator has decided since the page was read, or the decision is not possible now. */
export type DecisionOutcome =
  | { id: string; refusal?: undefined }
  | { id?: undefined; refusal: "already decided" | "not found" };

const one = { one: sql`1` };

/**
 * Decides about a target, reported or not, in one batch: of two moderators at once, one decides. The decision answers
 * all open reports of the target, tells its owner, and can be undone for ten minutes.
 *
 * @param formKey idempotency key: the same form submitted again decides once
 */
export async function decide(
  db: Db,
  moderator: Viewer,
  kind: ReportTarget,
  targetId: string,
  { decision, reason, days, lastDecisionId = "" }: NewDecision,
  formKey: string | null,
  now = new Date(),
): Promise<DecisionOutcome> {
  const target = await findTarget(db, kind, targetId);
  if (!target) return { refusal: "not found" };
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
            targetKind: sql<ReportTarget>`${kind}`.as("target_kind"),
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
            answer: sql<string | null>`null`.as("answer"),
            answeredAt: sql<Date | null>`null`.as("answered_at"),
          })
          .from(users)
          .where(
            and(
              eq(users.id, moderator.id),
              eq(users.userType, "Admin"),
              isNull(users.removalId),
              decisionConditions(db, target, lastDecisionId)[decision],
            ),
          ),
      )
      .onConflictDoNothing()
      .returning({ id: decisions.id }),
    db.insert(removals).select(
      db
        .select(removalValues(id, moderator, "decision", decisions.targetId))
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
    ...effectsOf(db, id, decision, target, until, decided),
    db
      .update(decisions)
      .set({ endedAt: now })
      .where(
        and(
          eq(decisions.id, sql`(select made.previous_id from ${decisions} as made where made.id = ${id})`),
          sql`${decision} <> 'uphold'`,
        ),
      ),
    ...(decision === "dismiss" ? [] : [notifyOwner(db, id)]),
    recordDecision(db, moderator, id, decision),
  ]);
  if (inserted.length > 0) return { id };
  const [same] = formKey
    ? await db.select({ id: decisions.id }).from(decisions).where(eq(decisions.formKey, formKey))
    : [];
  return same ?? { refusal: "already decided" };
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
