import { and, desc, eq, gt, isNotNull, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow } from "#app/db/conditions.server.ts";
import type { ActivityAction, EmailOutcome, TargetKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  activity,
  contentReports,
  conversations,
  decisions,
  messages,
  notifications,
  orders,
  phones,
  removals,
  reviews,
  signals,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../../accounts/account-access.server.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { formerMember } from "../../accounts/viewer.ts";
import { activityValues } from "../../audit/activity.server.ts";
import { notificationValues } from "../../audit/notify.server.ts";
import { addRemoval, undoableSince } from "../../audit/removals.server.ts";
import { queueNewListing } from "../../listings/unmatched-listings.server.ts";
import { findTarget, isNotOwn, type ModeratedTarget } from "../target.server.ts";
import {
  decisionRefusalText,
  longSuspensionText,
  type ModeratorDecisionKind,
  moderatorDecisions,
  ofStaffText,
  ownDecisionText,
  suspensionTooLongText,
} from "./decision.rules.ts";
import { type NewDecision, suspensionLengthsFor } from "./decision.schema.ts";
import {
  decisionConditions,
  isHideableListing,
  isHoldOf,
  isHoldOfAnotherListing,
  previousDecision,
  staffLimits,
} from "./decision-conditions.server.ts";
import { applyDecisionEffects, liftDecisionEffects } from "./decision-effects.server.ts";
import {
  decisionEventOf,
  isReversalEmailSkipped,
  stopBuyerEmails,
  stopEmail,
} from "./decision-emails.server.ts";

/**
 * "already decided": another moderator has decided since the page was read, or the decision is not possible now. "not
 * allowed": only administrators may. The message says which.
 */
type DecisionOutcome =
  | { id: string; refusal?: undefined }
  | { id?: undefined; refusal: "already decided" | "not allowed"; message: string }
  | { id?: undefined; refusal: "not found" };

const notAllowedTexts = {
  "not allowed": "You’re no longer a moderator.",
  "of staff": ofStaffText,
  "long suspension": longSuspensionText,
  "own decision": ownDecisionText,
};

/**
 * Decides about a target, reported or not: of two moderators at once, one decides.
 *
 * @param formKey idempotency key: the same form submitted again decides once
 */
export async function decide(
  db: Db,
  moderator: Viewer,
  kind: TargetKind,
  targetId: string,
  decision: NewDecision,
  formKey: string | null,
  now = new Date(),
): Promise<DecisionOutcome> {
  const target = await findTarget(db, moderator, kind, targetId);
  if (!target) return { refusal: "not found" };
  if (decision.decision === "suspend" && !suspensionLengthsFor(moderator).includes(decision.days)) {
    return { refusal: "not allowed", message: suspensionTooLongText };
  }
  const { [decision.decision]: isPossible } = decisionConditions(db, target, decision.lastDecisionId ?? "");
  const conditions = {
    ...staffLimits(db, moderator, target, decision.decision),
    "already decided": isPossible,
  };
  const made = await recordDecision(db, moderator, target, decision, conditions, { formKey }, now);
  if (made.refusal === null) return { id: made.id };
  if (made.refusal === "repeated") {
    const [same] = await db
      .select({ id: decisions.id })
      .from(decisions)
      .where(eq(decisions.formKey, formKey ?? ""));
    if (same) return same;
  } else if (made.refusal !== "already decided") {
    return { refusal: "not allowed", message: notAllowedTexts[made.refusal] };
  }
  const [newest] = await db
    .select({ id: decisions.id, kind: decisions.kind, actorId: decisions.actorId, name: users.name })
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.actorId))
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, targetId)))
    .orderBy(desc(decisions.id))
    .limit(1);
  const isNew = newest && newest.id !== decision.lastDecisionId;
  const name = newest?.actorId === moderator.id ? "You" : (newest?.name ?? formerMember);
  return {
    refusal: "already decided",
    message: decisionRefusalText(isNew ? { kind: newest.kind, name } : null),
  };
}

/** Hides somebody else’s listing as part of a bulk action, reported or not, unless it is reserved. */
export async function hideListing(db: Db, moderator: Viewer, id: string, reason: string, bulkKey: string) {
  const target = await findTarget(db, moderator, "listing", id);
  if (!target) return;
  const isHideable = isHideableListing(db, id, ne(phones.status, "reserved"));
  await recordDecision(
    db,
    moderator,
    target,
    { decision: "hide", reason },
    { hidden: isHideable },
    { bulkKey },
  );
}

/** Listings that one decision approves beside its own. */
const maxApproved = 100;

/**
 * Approves the other listings of a seller that wait, once one of them is approved.
 *
 * @param formKey idempotency key of the approval's form
 * @returns the ids of the decisions that can be undone, also those of the same form submitted before
 */
export async function approveOtherListings(
  db: Db,
  moderator: Viewer,
  listingId: string,
  formKey: string,
): Promise<string[]> {
  const approved = await findTarget(db, moderator, "listing", listingId);
  return approved ? approveHeld(db, moderator, isHoldOfAnotherListing(db, approved), formKey) : [];
}

/** Approves all first listings of a seller that wait; none of the moderator's own. @param key idempotency key */
export function approveFirstListings(
  db: Db,
  moderator: Viewer,
  sellerId: string,
  key: string,
): Promise<string[]> {
  return approveHeld(db, moderator, isHoldOf(db, sellerId), key);
}

/** Approves listings that wait. @param held condition on the decisions that hold them */
async function approveHeld(db: Db, moderator: Viewer, held: SQL | undefined, key: string): Promise<string[]> {
  const waiting = await db
    .select({ id: decisions.targetId, name: decisions.target, ownerId: decisions.ownerId })
    .from(decisions)
    .where(and(held, isNotOwn(decisions, moderator)))
    .limit(maxApproved);
  for (const listing of waiting) {
    const target = { ...listing, kind: "listing" } as const;
    const { approve } = decisionConditions(db, target, null);
    const conditions = { ...staffLimits(db, moderator, target, "approve"), decided: approve };
    const approval = { decision: "approve", reason: "" } as const;
    await recordDecision(db, moderator, target, approval, conditions, { bulkKey: key });
  }
  const made = await db
    .select({ id: removals.id })
    .from(removals)
    .where(
      and(
        gt(removals.id, firstIdAt(undoableSince())),
        eq(removals.kind, "decision"),
        eq(removals.actorId, moderator.id),
        eq(removals.formKey, key),
        isNull(removals.undoneAt),
      ),
    );
  return made.map(({ id }) => id);
}

/**
 * Makes a decision if the moderator still is one and all conditions hold. It closes all open reports and signals of the
 * target, notifies its owner, and can be undone for ten minutes.
 *
 * @param conditions what must hold, by the refusal that follows if it does not
 * @param keys.formKey idempotency key of the decision's own form
 * @param keys.bulkKey idempotency key of a bulk action
 */
async function recordDecision<Refusal extends string>(
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
  const { news } = moderatorDecisions[decision];
  const until =
    decision === "suspend" && days !== "permanent" ? new Date(now.getTime() + Number(days) * dayMs) : null;
  const isModerator = and(eq(users.id, moderator.id), hasPermission("moderate"), isNull(users.removalId));
  const previousId = sql`(select ${decisions.previousId} from ${decisions} where ${decisions.id} = ${id})`;
  const refusal = await batchUnless<Refusal | "not allowed" | "repeated">(
    db,
    {
      "not allowed": hasRow(db, users, isModerator),
      repeated: formKey ? not(hasRow(db, decisions, eq(decisions.formKey, formKey))) : undefined,
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
            eq(contentReports.targetKind, kind),
            eq(contentReports.targetId, targetId),
            isNull(contentReports.decisionId),
          ),
        ),
      db
        .update(signals)
        .set({ decisionId: id })
        .where(and(eq(signals.targetKind, kind), eq(signals.targetId, targetId), isNull(signals.decisionId))),
      ...(decision === "approve" || decision === "reverse"
        ? liftDecisionEffects(db, previousId)
        : applyDecisionEffects(
            db,
            { id, kind: decision, targetKind: kind, targetId, ownerId, until },
            previousId,
          )),
      ...(decision === "approve" ? [queueNewListing(db, targetId)] : []),
      ...(decision === "uphold"
        ? []
        : [endDecision(db, previousId, now), stopEmail(db, ownerId, decisionEventOf(previousId), now)]),
      ...(decision === "suspend" || decision === "reverse" ? stopBuyerEmails(db, ownerId, now) : []),
      ...(news ? [notifyOwner(db, id, target, { decision, days }, previousId, now)] : []),
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

/**
 * Notifies the owner, unless the account has been removed. A ruling on an appeal leads to the appealed decision. A reversal
 * before the email about what it reverses has no email either, unless it answers an appeal, or the last email was about a
 * decision that this one has replaced.
 */
function notifyOwner(
  db: Db,
  id: string,
  { kind, id: targetId, name }: ModeratedTarget,
  details: { decision: ModeratorDecisionKind; days?: string },
  previousId: SQL,
  now: Date,
) {
  const { decision } = details;
  const isSkipped = decision === "reverse" ? isReversalEmailSkipped(db, previousId) : sql`false`;
  const isRuling = decision === "uphold" || decision === "reverse";
  const shown = isRuling ? decisions.previousId : decisions.id;
  return db
    .insert(notifications)
    .select(
      db
        .select({
          ...notificationValues("decision", {
            userId: decisions.ownerId,
            subject: kind === "listing" ? name : deviceOf(db, kind, targetId),
            details: decisionDetails(db, { ...details, targetKind: kind }),
            path: sql`'/manage/decisions/' || ${shown}`,
            event: decisionEventOf(id),
          }),
          emailDoneAt: sql<Date | null>`iif(${isSkipped}, ${now.getTime()}, null)`.as("email_done_at"),
          emailOutcome: sql<EmailOutcome | null>`iif(${isSkipped}, 'undone', null)`.as("email_outcome"),
        })
        .from(decisions)
        .innerJoin(users, and(eq(users.id, decisions.ownerId), isNull(users.removalId)))
        .where(eq(decisions.id, id)),
    )
    .onConflictDoNothing();
}

/** The device that a message or review is about, as SQL; '' for an account. */
function deviceOf(db: Db, kind: TargetKind, id: string): SQL | string {
  if (kind === "seller") return "";
  const device =
    kind === "message"
      ? db
          .select({ name: conversations.productName })
          .from(messages)
          .innerJoin(conversations, eq(conversations.id, messages.conversationId))
          .where(eq(messages.id, id))
      : db
          .select({ name: orders.productName })
          .from(reviews)
          .innerJoin(orders, eq(orders.id, reviews.orderId))
          .where(eq(reviews.id, id));
  return sql`coalesce((${device}), '')`;
}

/** What the notification of a row of `decisions` says: also what was reversed, or that it answers an appeal. */
function decisionDetails(
  db: Db,
  details: { decision: ModeratorDecisionKind; days?: string; targetKind: TargetKind },
) {
  const [previous, upheld] = [alias(decisions, "previous"), alias(decisions, "upheld")];
  const isUpheld = and(eq(upheld.previousId, previous.id), eq(upheld.kind, "uphold"), isNull(upheld.endedAt));
  const more =
    details.decision === "reverse"
      ? db
          .select({
            json: sql`json_object('reversed', ${previous.kind}, 'targetKind', ${previous.targetKind})`,
          })
          .from(previous)
          // What was over before does not come back.
          .where(and(eq(previous.id, decisions.previousId), eq(previous.endedAt, decisions.createdAt)))
      : db
          .select({ json: sql`'{"answersAppeal":true}'` })
          .from(previous)
          .where(
            and(
              eq(previous.id, decisions.previousId),
              isNotNull(previous.appealedAt),
              not(hasRow(db, upheld, isUpheld)),
              sql`${details.decision} <> 'uphold'`,
            ),
          );
  return sql`json_patch(${JSON.stringify(details)}, coalesce((${more}), '{}'))`;
}

/** Writes a decision into the activity log, with whether somebody had reported the target. */
function logDecision(db: Db, moderator: Viewer, id: string, decision: ModeratorDecisionKind) {
  const isReported = hasRow(db, contentReports, eq(contentReports.decisionId, id));
  const { action, endsReports } = moderatorDecisions[decision];
  // These are about the person, whatever they were decided for.
  const isOfPerson = decision === "warn" || decision === "suspend";
  const name = isOfPerson
    ? sql`coalesce((select ${users.email} from ${users} where ${users.id} = ${decisions.ownerId}), '')`
    : sql`${decisions.target}`;
  const ofTarget = isOfPerson ? sql`'{}'` : sql`json_object('targetKind', ${decisions.targetKind})`;
  const all = endsReports
    ? sql`iif(${isReported}, ${ofTarget}, json_set(${ofTarget}, '$.isUnreported', json('true')))`
    : ofTarget;
  const details = sql`nullif(${all}, '{}')`;
  const targetId = isOfPerson ? decisions.ownerId : decisions.targetId;
  const unreported: ActivityAction = "dismissed signals";
  return db.insert(activity).select(
    db
      .select({
        ...activityValues(moderator, action, targetId, name, id, details),
        ...(decision === "dismiss" && {
          action: sql<ActivityAction>`iif(${isReported}, ${action}, ${unreported})`.as("action"),
        }),
      })
      .from(decisions)
      .where(eq(decisions.id, id)),
  );
}
