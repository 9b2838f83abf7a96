import { and, eq, exists, inArray, isNotNull, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  contentReports,
  decisions,
  messages,
  phones,
  removals,
  reviews,
  users,
} from "#app/db/schema.ts";
import type { ReportTarget } from "#app/db/values.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { removalValues } from "../audit/removals.server.ts";
import { queueNewListing } from "../listings/unmatched-listings.server.ts";
import { insertNotifications, notificationValues } from "../notifications/notify.server.ts";
import type { ModeratorDecision } from "./decision.rules.ts";
import type { NewDecision } from "./decision.schema.ts";
import { liftEffects } from "./decision-effects.server.ts";
import { findTarget, type ModeratedTarget } from "./target.server.ts";

const day = 86_400_000;

/** "already decided": there is nothing open about the target any more, or the decision is not possible now. */
export type DecisionOutcome =
  | { id: string; refusal?: undefined }
  | { id?: undefined; refusal: "already decided" | "not found" };

type Action = (typeof activity.$inferSelect)["action"];

const actions: Record<ModeratorDecision, Action> = {
  dismiss: "dismissed reports",
  hide: "hid content",
  remove: "removed listing",
  warn: "warned user",
  suspend: "suspended user",
  approve: "approved listing",
  uphold: "upheld decision",
  reverse: "reversed decision",
};

const one = { one: sql`1` };

/**
 * Decides about what is open for a target, in one batch: of two moderators at once, one decides. The decision answers
 * all open reports of the target, tells its owner, and can be undone for ten minutes.
 *
 * @param formKey idempotency key: the same form submitted again decides once
 */
export async function decide(
  db: Db,
  moderator: Viewer,
  kind: ReportTarget,
  targetId: string,
  { decision, reason, days }: NewDecision,
  formKey: string | null,
  now = new Date(),
): Promise<DecisionOutcome> {
  const target = await findTarget(db, kind, targetId);
  if (!target) return { refusal: "not found" };
  const id = timeOrderedId();
  const until =
    decision === "suspend" && days !== "permanent" ? new Date(now.getTime() + Number(days) * day) : null;
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
              isPossible(db, decision, target),
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
    db.insert(activity).select(
      db
        .select(activityValues(moderator, actions[decision], decisions.targetId, decisions.target))
        .from(decisions)
        .where(eq(decisions.id, id)),
    ),
  ]);
  if (inserted.length > 0) return { id };
  const [same] = formKey
    ? await db.select({ id: decisions.id }).from(decisions).where(eq(decisions.formKey, formKey))
    : [];
  return same ?? { refusal: "already decided" };
}

/** Condition: this decision can be made now. */
function isPossible(db: Db, decision: ModeratorDecision, { kind, id, ownerId }: ModeratedTarget): SQL {
  const openReport = exists(
    db
      .select(one)
      .from(contentReports)
      .where(
        and(
          eq(contentReports.kind, kind),
          eq(contentReports.targetId, id),
          isNull(contentReports.decisionId),
        ),
      ),
  );
  const hold = sql`${heldBy(db, kind, id)} is not null`;
  const openAnswer = sql`${answeredDecision(db, kind, id)} is not null`;
  const isOpen = sql`(${openReport} or ${hold} or ${openAnswer})`;
  const owner = alias(users, "owner");
  const canBeSuspended = exists(
    db
      .select(one)
      .from(owner)
      .where(and(eq(owner.id, ownerId), ne(owner.userType, "Admin"), isNull(owner.removalId))),
  );
  const conditions: Record<ModeratorDecision, SQL> = {
    approve: hold,
    dismiss: openReport,
    uphold: openAnswer,
    reverse: openAnswer,
    warn: isOpen,
    hide: sql`${isOpen} and ${exists(hideable(db, kind, id))}`,
    remove: sql`${isOpen} and ${exists(hideablePhone(db, id, ne(phones.status, "reserved")))}`,
    suspend: sql`${isOpen} and ${canBeSuspended}`,
  };
  return conditions[decision];
}

/** What the decision replaces, approves, upholds or reverses, as a column. */
function previousDecision(db: Db, decision: ModeratorDecision, { kind, id, ownerId }: ModeratedTarget): SQL {
  if (decision === "uphold" || decision === "reverse") return sql`${answeredDecision(db, kind, id)}`;
  if (decision === "suspend")
    return sql`(select owner.suspension_id from ${users} as owner where owner.id = ${ownerId})`;
  if (["approve", "hide", "remove"].includes(decision)) return sql`${heldBy(db, kind, id)}`;
  return sql`null`;
}

/** The hold of a listing that waits for approval, as a column. */
export function heldBy(db: Db, kind: ReportTarget, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(
      and(
        eq(decisions.targetKind, kind),
        eq(decisions.targetId, id),
        eq(decisions.kind, "hold"),
        isNull(decisions.endedAt),
      ),
    )
    .limit(1)})`;
}

/** The newest decision about a target with an answer that nobody has replied to, as a column. */
function answeredDecision(db: Db, kind: ReportTarget, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id), hasOpenAnswer(db)))
    .orderBy(sql`${decisions.id} desc`)
    .limit(1)})`;
}

/** Condition on `decisions`: in force, answered, and no moderator has replied. */
export function hasOpenAnswer(db: Db) {
  const reply = alias(decisions, "reply");
  return and(
    isNotNull(decisions.answeredAt),
    isNull(decisions.endedAt),
    notExists(
      db
        .select(one)
        .from(reply)
        .where(
          and(
            eq(reply.previousId, decisions.id),
            inArray(reply.kind, ["uphold", "reverse"]),
            isNull(reply.endedAt),
          ),
        ),
    ),
  );
}

/** The content, if it can be hidden. */
function hideable(db: Db, kind: ReportTarget, id: string) {
  if (kind !== "review" && kind !== "message") return hideablePhone(db, id);
  const table = kind === "review" ? reviews : messages;
  return db
    .select(one)
    .from(table)
    .where(and(eq(table.id, id), isNull(table.hiddenById)));
}

/** The listing, if it is visible, held for approval or hidden with its suspended seller. */
function hideablePhone(db: Db, id: string, condition?: SQL) {
  return db
    .select(one)
    .from(phones)
    .where(and(eq(phones.id, id), isHideable(db), condition));
}

function isHideable(db: Db) {
  const other = alias(decisions, "other");
  const holdsAndSuspensions = db
    .select({ id: other.id })
    .from(other)
    .where(inArray(other.kind, ["hold", "suspend"]));
  return or(isNull(phones.removalId), inArray(phones.removalId, holdsAndSuspensions));
}

function effectsOf(
  db: Db,
  id: string,
  decision: ModeratorDecision,
  target: ModeratedTarget,
  until: Date | null,
  decided: SQL,
) {
  const previousId = sql`(select ${decisions.previousId} from ${decisions} where ${decisions.id} = ${id})`;
  switch (decision) {
    case "hide":
    case "remove":
      if (target.kind === "review" || target.kind === "message") {
        const table = target.kind === "review" ? reviews : messages;
        return [
          db
            .update(table)
            .set({ hiddenById: id })
            .where(and(eq(table.id, target.id), decided)),
        ];
      }
      return [
        db
          .update(phones)
          .set({ removalId: id })
          .where(and(eq(phones.id, target.id), isHideable(db), decided)),
      ];
    case "suspend":
      return [
        db
          .update(phones)
          .set({ removalId: id })
          .where(
            and(
              eq(phones.sellerId, target.ownerId),
              eq(phones.status, "available"),
              or(isNull(phones.removalId), eq(phones.removalId, previousId)),
              decided,
            ),
          ),
        db
          .update(users)
          .set({ suspensionId: id, suspendedUntil: until })
          .where(and(eq(users.id, target.ownerId), decided)),
      ];
    case "approve":
      return [...liftEffects(db, previousId, decided), queueNewListing(db, target.id, decided)];
    case "reverse":
      return liftEffects(db, previousId, decided);
    default:
      return [];
  }
}

/** Tells the owner, unless the account has been removed. The reply to an answer leads to the decision it is about. */
function notifyOwner(db: Db, id: string) {
  const path = sql`'/manage/decisions/' || iif(${decisions.kind} in ('uphold', 'reverse'), ${decisions.previousId}, ${decisions.id})`;
  return insertNotifications(db)
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
