import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { DecisionKind, TargetKind } from "#app/db/enums.ts";
import { contentReports, decisions, messages, phones, reviews, signals, users } from "#app/db/schema.ts";
import { purgeAfterDays } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../../accounts/account-access.server.ts";
import { may, type Permitted } from "../../accounts/permissions.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { ModeratedTarget } from "../target.server.ts";
import {
  longSuspensionText,
  type ModeratorDecisionKind,
  maxModeratorDays,
  ofStaffText,
  ownDecisionText,
  type ReversibleDecision,
} from "./decision.rules.ts";

/** Decisions whose hidden listings can be hidden by another one. */
const hideableAgain: DecisionKind[] = ["hold", "suspend"];

/** Decisions whose hidden listings can be removed. */
export const removable: DecisionKind[] = [...hideableAgain, "hide"];

/**
 * The conditions under which each decision can be made, the mildest first. Without anything open, a moderator can still
 * decide, unless another one has decided since the page was read.
 *
 * @param lastDecisionId the newest decision about the target that the page showed; null to ask what is possible now
 */
export function decisionConditions(
  db: Db,
  { kind, id, ownerId }: ModeratedTarget,
  lastDecisionId: string | null,
): Record<ModeratorDecisionKind, SQL> {
  const openReport = hasRow(
    db,
    contentReports,
    and(
      eq(contentReports.targetKind, kind),
      eq(contentReports.targetId, id),
      isNull(contentReports.decisionId),
    ),
  );
  const openSignal = hasRow(
    db,
    signals,
    and(eq(signals.targetKind, kind), eq(signals.targetId, id), isNull(signals.decisionId)),
  );
  const isHeld = isNotNull(openHold(db, kind, id));
  const openAppeal = isNotNull(appealedDecision(db, kind, id));
  const isInForce = isNotNull(inForceDecision(db, { kind, id, ownerId }));
  const isOpen = sql`(${openReport} or ${isHeld} or ${openAppeal})`;
  const isCurrent =
    lastDecisionId === null
      ? sql`true`
      : sql`coalesce(${newestDecision(db, kind, id)}, '') = ${lastDecisionId}`;
  const isDecidable = sql`(${isOpen} or ${isCurrent})`;
  const owner = alias(users, "owner");
  const ownerIs = (condition?: SQL) =>
    hasRow(db, owner, and(eq(owner.id, ownerId), isNull(owner.removalId), condition));
  return {
    approve: isHeld,
    dismiss: sql`(${openReport} or ${openSignal} and ${isCurrent})`,
    uphold: openAppeal,
    reverse: sql`(${openAppeal} or ${isCurrent} and ${isInForce})`,
    warn: sql`(${isOpen} or ${isCurrent} and ${ownerIs()})`,
    hide: sql`${isDecidable} and ${canBeHidden(db, kind, id)}`,
    remove: sql`${isDecidable} and ${isHideableListing(db, id, ne(phones.status, "reserved"), removable)}`,
    suspend: sql`${isDecidable} and ${ownerIs(not(hasPermission("moderate", owner)))}`,
  };
}

/**
 * What others decide, as columns: administrators about moderators and administrators, and about long suspensions; a
 * colleague about an appeal against the moderator's own decision, which a new decision would answer, too.
 */
function leftToOthers(db: Db, moderator: Viewer, target: ModeratedTarget) {
  const { kind, id, ownerId } = target;
  const owner = alias(users, "limited");
  const suspension = alias(decisions, "suspension");
  const isStaff = hasRow(db, owner, and(eq(owner.id, ownerId), hasPermission("moderate", owner)));
  const isLong = db
    .select(one)
    .from(owner)
    .innerJoin(suspension, eq(suspension.id, owner.suspensionId))
    .where(and(eq(owner.id, ownerId), isLongSuspension(suspension)));
  const isLongAppeal = hasRow(
    db,
    decisions,
    and(eq(decisions.id, appealedDecision(db, kind, id)), isLongSuspension()),
  );
  /** Such a decision would answer the appeal against an own one. */
  const isOwn = (decision: ModeratorDecisionKind) =>
    hasRow(
      db,
      decisions,
      and(
        eq(decisions.id, previousDecision(db, decision, target)),
        hasOpenAppeal(db),
        isForColleague(db, moderator),
      ),
    );
  return {
    isStaff: may(moderator, "manage moderators") ? sql`false` : isStaff,
    isLong: may(moderator, "suspend for good") ? sql`false` : exists(isLong),
    isLongAppeal: may(moderator, "suspend for good") ? sql`false` : isLongAppeal,
    isOwn,
  };
}

type Columns<Name extends keyof typeof decisions> = Record<Name, SQLiteColumn>;

/** Condition on `decisions`, or an alias of it: a suspension that administrators alone may reverse. */
function isLongSuspension({ kind, until, createdAt }: Columns<"kind" | "until" | "createdAt"> = decisions) {
  const longest = sql`${createdAt} + ${maxModeratorDays * dayMs}`;
  return sql`${and(eq(kind, "suspend"), or(isNull(until), gt(until, longest)))}`;
}

/** Condition on `decisions`: it is about a moderator or an administrator. */
function isOfStaff(db: Db) {
  const owner = alias(users, "decided");
  return hasRow(db, owner, and(eq(owner.id, decisions.ownerId), hasPermission("moderate", owner)));
}

/** Condition on `decisions`: the moderator made it, and there is a colleague who can answer an appeal, also by a reversal. */
function isForColleague(db: Db, moderator: Pick<Viewer, "id">) {
  const colleague = alias(users, "colleague");
  const canAnswer = and(
    hasPermission("moderate", colleague),
    or(not(isLongSuspension()), hasPermission("suspend for good", colleague)),
    or(not(isOfStaff(db)), hasPermission("manage moderators", colleague)),
    isNull(colleague.removalId),
    isNull(colleague.suspensionId),
    ne(colleague.id, moderator.id),
    ne(colleague.id, decisions.ownerId),
  );
  return sql`(${decisions.actorId} = ${moderator.id} and ${hasRow(db, colleague, canAnswer)})`;
}

/** Condition on `decisions`: it has an open appeal, which this moderator answers. */
export function hasAppealFor(db: Db, moderator: Permitted & Pick<Viewer, "id">) {
  return and(
    hasOpenAppeal(db),
    not(isForColleague(db, moderator)),
    may(moderator, "suspend for good") ? undefined : not(isLongSuspension()),
    may(moderator, "manage moderators") ? undefined : not(isOfStaff(db)),
  );
}

const ofSuspensions: ReadonlySet<ModeratorDecisionKind> = new Set(["suspend", "reverse"]);

/** What answers an open appeal, other than the reversal. */
const answers = ["uphold", "remove", "suspend"] as const satisfies ModeratorDecisionKind[];
const isAnswer = (decision: ModeratorDecisionKind): decision is (typeof answers)[number] =>
  answers.some((answer) => answer === decision);

/** That a decision is not left to others. */
export function staffLimits(
  db: Db,
  moderator: Viewer,
  target: ModeratedTarget,
  decision: ModeratorDecisionKind,
) {
  const { isStaff, isLong, isLongAppeal, isOwn } = leftToOthers(db, moderator, target);
  return {
    "of staff": not(isStaff),
    "long suspension": ofSuspensions.has(decision)
      ? not(isLong)
      : decision === "uphold"
        ? not(isLongAppeal)
        : undefined,
    "own decision": isAnswer(decision) ? not(isOwn(decision)) : undefined,
  };
}

/** What is left to others about a target, as text for the moderator; null if nothing is. */
export async function findLimit(db: Db, moderator: Viewer, target: ModeratedTarget) {
  const { isStaff, isLong, isLongAppeal, isOwn } = leftToOthers(db, moderator, target);
  const flag = (condition: SQLWrapper, name: string) => sql`${condition}`.mapWith(Boolean).as(name);
  const [limit] = await db
    .select({
      isStaff: flag(isStaff, "is_staff"),
      isLong: flag(isLong, "is_long"),
      isLongAppeal: flag(isLongAppeal, "is_long_appeal"),
      uphold: flag(isOwn("uphold"), "own_uphold"),
      remove: flag(isOwn("remove"), "own_remove"),
      suspend: flag(isOwn("suspend"), "own_suspend"),
    })
    .from(sql`(select 1)`);
  if (!limit) return null;
  if (limit.isStaff) return { text: ofStaffText, allows: () => false };
  const allows = (decision: ModeratorDecisionKind) =>
    !(limit.isLong && ofSuspensions.has(decision)) &&
    !(limit.isLongAppeal && decision === "uphold") &&
    !(isAnswer(decision) && limit[decision]);
  if (limit.isLong || limit.isLongAppeal) return { text: longSuspensionText, allows };
  return answers.some((answer) => limit[answer]) ? { text: ownDecisionText, allows } : null;
}

/** The decisions that a moderator can make now. */
export async function possibleDecisions(db: Db, target: ModeratedTarget): Promise<ModeratorDecisionKind[]> {
  const conditions = Object.entries(decisionConditions(db, target, null));
  const [possible = {}] = await db
    .select(
      Object.fromEntries(
        conditions.map(([decision, condition]) => [
          decision,
          sql`${condition}`.mapWith(Boolean).as(`can_${decision}`),
        ]),
      ),
    )
    .from(sql`(select 1)`);
  return conditions
    .map(([decision]) => decision as ModeratorDecisionKind)
    .filter((decision) => possible[decision]);
}

function canBeHidden(db: Db, kind: TargetKind, id: string) {
  if (kind !== "review" && kind !== "message") return isHideableListing(db, id);
  const table = kind === "review" ? reviews : messages;
  return hasRow(db, table, and(eq(table.id, id), isNull(table.hiddenById)));
}

/** A listing can be hidden. */
export function isHideableListing(db: Db, id: string, condition?: SQL, hiddenBy = hideableAgain) {
  return hasRow(db, phones, and(eq(phones.id, id), isHideable(db, hiddenBy), condition));
}

/** Condition on `phones`: visible, or hidden by a decision of these kinds. */
export function isHideable(db: Db, hiddenBy = hideableAgain) {
  const other = alias(decisions, "other");
  const replaceable = db.select({ id: other.id }).from(other).where(inArray(other.kind, hiddenBy));
  return or(isNull(phones.hiddenById), inArray(phones.hiddenById, replaceable));
}

const one = { one: sql`1` };

/** What the decision replaces, approves, upholds or reverses, as a column. */
export function previousDecision(db: Db, decision: ModeratorDecisionKind, target: ModeratedTarget): SQL {
  const { kind, id, ownerId } = target;
  if (decision === "uphold") return appealedDecision(db, kind, id);
  if (decision === "reverse")
    return sql`coalesce(${appealedDecision(db, kind, id)}, ${inForceDecision(db, target)})`;
  if (decision === "suspend")
    return sql`(select owner.suspension_id from ${users} as owner where owner.id = ${ownerId})`;
  if (decision === "remove")
    return sql`coalesce(${openHold(db, kind, id)}, ${inForceDecision(db, target, ["hide"])})`;
  if (decision === "approve" || decision === "hide") return openHold(db, kind, id);
  return sql`null`;
}

/** Condition on `decisions`: appealed, in effect, and no moderator has answered that. Whatever ends it ends its appeal. */
export function hasOpenAppeal(db: Db) {
  const answer = alias(decisions, "answer");
  const { appealedAt, endedAt } = decisions;
  return and(isNotNull(appealedAt), isNull(endedAt), not(hasRow(db, answer, isAnswerTo(answer))));
}

/**
 * Condition on `answer`, an alias of `decisions`: it answers an appeal against a row of `decisions`, since it rules on that
 * or replaces it, and has not been undone.
 */
export function isAnswerTo(answer: Columns<"previousId" | "kind" | "endedAt" | "createdAt">) {
  return and(
    eq(answer.previousId, decisions.id),
    or(
      and(inArray(answer.kind, ["uphold", "reverse"]), isNull(answer.endedAt)),
      and(inArray(answer.kind, ["remove", "suspend"]), eq(answer.createdAt, decisions.endedAt)),
    ),
  );
}

/** Finds the decision that "reverse" would end; null if there is none. */
export async function findReversibleDecision(
  db: Db,
  target: ModeratedTarget,
): Promise<ReversibleDecision | null> {
  const [found] = await db
    .select({ kind: decisions.kind })
    .from(decisions)
    .where(eq(decisions.id, previousDecision(db, "reverse", target)));
  return found ?? null;
}

/** Condition on `decisions`: its listing waits for approval. */
export function isOpenHold(db: Db) {
  return and(
    eq(decisions.kind, "hold"),
    isNull(decisions.endedAt),
    hasRow(db, phones, and(eq(phones.id, decisions.targetId), eq(phones.hiddenById, decisions.id))),
  );
}

/** Condition on `decisions`: another listing of its owner than this one waits for approval. */
export function isHoldOfAnotherListing(db: Db, { id, ownerId }: Pick<ModeratedTarget, "id" | "ownerId">) {
  return and(isHoldOf(db, ownerId), ne(decisions.targetId, id));
}

/** Condition on `decisions`: a listing of the owner waits for approval. */
export function isHoldOf(db: Db, ownerId: string) {
  return and(isOpenHold(db), eq(decisions.ownerId, ownerId));
}

/** The hold of a listing that waits for approval, as a column. */
function openHold(db: Db, kind: TargetKind, id: string) {
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

/** Condition on `decisions`: it can be reversed, since what it removed is not erased yet. */
export function isNotFinal(now = Date.now()) {
  return or(ne(decisions.kind, "remove"), gt(decisions.createdAt, new Date(now - purgeAfterDays * dayMs)));
}

/**
 * The newest decision that hides a target or suspends its owner now, as a column. A suspension counts for the target
 * that it was decided about and for the account.
 */
function inForceDecision(
  db: Db,
  { kind, id, ownerId }: Omit<ModeratedTarget, "name">,
  kinds: DecisionKind[] = ["hide", "remove", "suspend"],
) {
  const hiddenBy = {
    listing: sql`(select hidden_by_id from ${phones} where id = ${id})`,
    review: sql`(select hidden_by_id from ${reviews} where id = ${id})`,
    message: sql`(select hidden_by_id from ${messages} where id = ${id})`,
    seller: sql`null`,
  }[kind];
  const suspension = sql`(select suspension_id from ${users} where id = ${ownerId})`;
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(
      and(
        sql`${decisions.id} in (${hiddenBy}, ${suspension})`,
        inArray(decisions.kind, kinds),
        isNotFinal(),
        kind === "seller"
          ? undefined
          : or(
              ne(decisions.kind, "suspend"),
              and(eq(decisions.targetKind, kind), eq(decisions.targetId, id)),
            ),
      ),
    )
    .orderBy(desc(decisions.id))
    .limit(1)})`;
}

/** The newest decision about a target, as a column. */
function newestDecision(db: Db, kind: TargetKind, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id)))
    .orderBy(desc(decisions.id))
    .limit(1)})`;
}

/** The newest decision about a target with an open appeal, as a column. */
function appealedDecision(db: Db, kind: TargetKind, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id), hasOpenAppeal(db)))
    .orderBy(desc(decisions.id))
    .limit(1)})`;
}
