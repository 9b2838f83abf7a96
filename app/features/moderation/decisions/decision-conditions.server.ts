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
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { DecisionKind, TargetKind } from "#app/db/enums.ts";
import { contentReports, decisions, messages, phones, reviews, signals, users } from "#app/db/schema.ts";
import { purgeAfterDays } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../../accounts/account-access.server.ts";
import { may } from "../../accounts/permissions.ts";
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
    remove: sql`${isDecidable} and ${isHideablePhone(db, id, ne(phones.status, "reserved"), removable)}`,
    suspend: sql`${isDecidable} and ${ownerIs(not(hasPermission("moderate", owner)))}`,
  };
}

/**
 * What others decide, as columns: administrators about moderators and administrators, and about long suspensions; a
 * colleague about an appeal against the moderator's own decision.
 */
function leftToOthers(db: Db, moderator: Viewer, { kind, id, ownerId }: ModeratedTarget) {
  const owner = alias(users, "limited");
  const suspension = alias(decisions, "suspension");
  const isStaff = hasRow(db, owner, and(eq(owner.id, ownerId), hasPermission("moderate", owner)));
  const longest = sql`${suspension.createdAt} + ${maxModeratorDays * dayMs}`;
  const isLong = db
    .select(one)
    .from(owner)
    .innerJoin(suspension, eq(suspension.id, owner.suspensionId))
    .where(and(eq(owner.id, ownerId), or(isNull(suspension.until), gt(suspension.until, longest))));
  return {
    isStaff: may(moderator, "manage moderators") ? sql`false` : isStaff,
    isLong: may(moderator, "suspend for good") ? sql`false` : exists(isLong),
    isOwn: hasRow(
      db,
      decisions,
      and(eq(decisions.id, appealedDecision(db, kind, id)), isForColleague(db, moderator)),
    ),
  };
}

/** Condition on `decisions`: the moderator made it, and there is a colleague who can answer an appeal. */
export function isForColleague(db: Db, moderator: Pick<Viewer, "id">) {
  const colleague = alias(users, "colleague");
  const canAnswer = and(
    hasPermission("moderate", colleague),
    isNull(colleague.removalId),
    isNull(colleague.suspensionId),
    ne(colleague.id, moderator.id),
    ne(colleague.id, decisions.ownerId),
  );
  return sql`(${decisions.actorId} = ${moderator.id} and ${hasRow(db, colleague, canAnswer)})`;
}

const ofSuspensions: ReadonlySet<ModeratorDecisionKind> = new Set(["suspend", "reverse"]);

/** That a decision is not left to others. */
export function staffLimits(
  db: Db,
  moderator: Viewer,
  target: ModeratedTarget,
  decision: ModeratorDecisionKind,
) {
  const { isStaff, isLong, isOwn } = leftToOthers(db, moderator, target);
  return {
    "of staff": not(isStaff),
    "long suspension": ofSuspensions.has(decision) ? not(isLong) : undefined,
    "own decision": decision === "uphold" ? not(isOwn) : undefined,
  };
}

/** What is left to others about a target, as text for the moderator; null if nothing is. */
export async function findLimit(db: Db, moderator: Viewer, target: ModeratedTarget) {
  const { isStaff, isLong, isOwn } = leftToOthers(db, moderator, target);
  const [limit] = await db
    .select({
      isStaff: sql`${isStaff}`.mapWith(Boolean).as("is_staff"),
      isLong: sql`${isLong}`.mapWith(Boolean).as("is_long"),
      isOwn: sql`${isOwn}`.mapWith(Boolean).as("is_own"),
    })
    .from(sql`(select 1)`);
  if (limit?.isStaff) return { text: ofStaffText, allows: () => false };
  if (limit?.isLong)
    return {
      text: longSuspensionText,
      allows: (decision: ModeratorDecisionKind) =>
        !ofSuspensions.has(decision) && !(limit.isOwn && decision === "uphold"),
    };
  if (!limit?.isOwn) return null;
  return { text: ownDecisionText, allows: (decision: ModeratorDecisionKind) => decision !== "uphold" };
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
  if (kind !== "review" && kind !== "message") return isHideablePhone(db, id);
  const table = kind === "review" ? reviews : messages;
  return hasRow(db, table, and(eq(table.id, id), isNull(table.hiddenById)));
}

/** A listing can be hidden. */
export function isHideablePhone(db: Db, id: string, condition?: SQL, hiddenBy = hideableAgain) {
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

/** Condition on `decisions`: appealed, and no moderator has ruled on it; also if it has ended since. */
export function hasOpenAppeal(db: Db) {
  const ruling = alias(decisions, "ruling");
  return and(
    isNotNull(decisions.appealedAt),
    not(
      hasRow(
        db,
        ruling,
        and(
          eq(ruling.previousId, decisions.id),
          inArray(ruling.kind, ["uphold", "reverse"]),
          isNull(ruling.endedAt),
        ),
      ),
    ),
  );
}

/** Finds the decision that "reverse" would end; null if there is none. */
export async function findReversible(db: Db, target: ModeratedTarget): Promise<ReversibleDecision | null> {
  const [found] = await db
    .select({
      kind: decisions.kind,
      hasOpenAppeal: sql`${hasOpenAppeal(db)}`.mapWith(Boolean).as("has_open_appeal"),
      isInForce: isNull(decisions.endedAt).mapWith(Boolean).as("is_in_force"),
    })
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
  return and(isOpenHold(db), eq(decisions.ownerId, ownerId), ne(decisions.targetId, id));
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
