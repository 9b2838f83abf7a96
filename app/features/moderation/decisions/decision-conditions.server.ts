import { and, eq, exists, gt, inArray, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { contentReports, decisions, messages, phones, reviews, signals, users } from "#app/db/schema.ts";
import type { DecisionKind, TargetKind } from "#app/db/values.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../../accounts/has-permission.server.ts";
import { may } from "../../accounts/permissions.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import type { ModeratedTarget } from "../target.server.ts";
import {
  longSuspensionText,
  type ModeratorDecision,
  maxModeratorDays,
  ofStaffText,
} from "./decision.rules.ts";
import { appealedDecision, heldBy, inForceDecision, newestDecision } from "./related-decisions.server.ts";

const one = { one: sql`1` };

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
): Record<ModeratorDecision, SQL> {
  const openReport = hasRow(
    db,
    contentReports,
    and(eq(contentReports.kind, kind), eq(contentReports.targetId, id), isNull(contentReports.decisionId)),
  );
  const openSignal = hasRow(
    db,
    signals,
    and(eq(signals.kind, kind), eq(signals.targetId, id), isNull(signals.decisionId)),
  );
  const isHeld = sql`${heldBy(db, kind, id)} is not null`;
  const openAppeal = sql`${appealedDecision(db, kind, id)} is not null`;
  const isInForce = sql`${inForceDecision(db, { kind, id, ownerId })} is not null`;
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
    hide: sql`${isDecidable} and ${exists(hideable(db, kind, id))}`,
    remove: sql`${isDecidable} and ${exists(hideablePhone(db, id, ne(phones.status, "reserved"), removable))}`,
    suspend: sql`${isDecidable} and ${ownerIs(not(hasPermission("moderate", owner)))}`,
  };
}

/** What only administrators decide, as columns: about moderators and administrators, and about long suspensions. */
function administratorsOnly(db: Db, moderator: Viewer, { ownerId }: ModeratedTarget) {
  const owner = alias(users, "limited");
  const suspension = alias(decisions, "suspension");
  const isStaff = db
    .select(one)
    .from(owner)
    .where(and(eq(owner.id, ownerId), hasPermission("moderate", owner)));
  const longest = sql`${suspension.createdAt} + ${maxModeratorDays * dayMs}`;
  const isLong = db
    .select(one)
    .from(owner)
    .innerJoin(suspension, eq(suspension.id, owner.suspensionId))
    .where(and(eq(owner.id, ownerId), or(isNull(suspension.until), gt(suspension.until, longest))));
  return {
    isStaff: may(moderator, "manage moderators") ? sql`false` : exists(isStaff),
    isLong: may(moderator, "suspend for good") ? sql`false` : exists(isLong),
  };
}

const ofSuspensions: ReadonlySet<ModeratorDecision> = new Set(["suspend", "reverse"]);

/** That no administrator is needed for a decision. */
export function limitsOf(db: Db, moderator: Viewer, target: ModeratedTarget, decision: ModeratorDecision) {
  const { isStaff, isLong } = administratorsOnly(db, moderator, target);
  return {
    "of staff": not(isStaff),
    "long suspension": ofSuspensions.has(decision) ? not(isLong) : undefined,
  };
}

/** What is left to administrators about a target, as text for the moderator; null if nothing is. */
export async function findLimit(db: Db, moderator: Viewer, target: ModeratedTarget) {
  const { isStaff, isLong } = administratorsOnly(db, moderator, target);
  const [limit] = await db
    .select({
      isStaff: sql`${isStaff}`.mapWith(Boolean).as("is_staff"),
      isLong: sql`${isLong}`.mapWith(Boolean).as("is_long"),
    })
    .from(sql`(select 1)`);
  if (limit?.isStaff) return { text: ofStaffText, leaves: () => false };
  if (!limit?.isLong) return null;
  return { text: longSuspensionText, leaves: (decision: ModeratorDecision) => !ofSuspensions.has(decision) };
}

/** The decisions that a moderator can make now. */
export async function possibleDecisions(db: Db, target: ModeratedTarget): Promise<ModeratorDecision[]> {
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
    .map(([decision]) => decision as ModeratorDecision)
    .filter((decision) => possible[decision]);
}

/** The content, if it can be hidden. */
function hideable(db: Db, kind: TargetKind, id: string) {
  if (kind !== "review" && kind !== "message") return hideablePhone(db, id);
  const table = kind === "review" ? reviews : messages;
  return db
    .select(one)
    .from(table)
    .where(and(eq(table.id, id), isNull(table.hiddenById)));
}

/** A listing, if it can be hidden. */
export function hideablePhone(db: Db, id: string, condition?: SQL, hiddenBy = hideableAgain) {
  return db
    .select(one)
    .from(phones)
    .where(and(eq(phones.id, id), isHideable(db, hiddenBy), condition));
}

/** Condition on `phones`: visible, or hidden by a decision of these kinds. */
export function isHideable(db: Db, hiddenBy = hideableAgain) {
  const other = alias(decisions, "other");
  const replaceable = db.select({ id: other.id }).from(other).where(inArray(other.kind, hiddenBy));
  return or(isNull(phones.removalId), inArray(phones.removalId, replaceable));
}
