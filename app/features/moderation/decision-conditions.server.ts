import { and, eq, exists, inArray, isNotNull, isNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, decisions, messages, phones, reviews, signals, users } from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import type { ModeratorDecision } from "./decision.rules.ts";
import type { ModeratedTarget } from "./target.server.ts";

const one = { one: sql`1` };

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
  const openSignal = exists(
    db
      .select(one)
      .from(signals)
      .where(and(eq(signals.kind, kind), eq(signals.targetId, id), isNull(signals.decisionId))),
  );
  const isHeld = sql`${heldBy(db, kind, id)} is not null`;
  const openAppeal = sql`${appealedDecision(db, kind, id)} is not null`;
  const isOpen = sql`(${openReport} or ${isHeld} or ${openAppeal})`;
  const isCurrent =
    lastDecisionId === null
      ? sql`true`
      : sql`coalesce(${newestDecision(db, kind, id)}, '') = ${lastDecisionId}`;
  const isDecidable = sql`(${isOpen} or ${isCurrent})`;
  const owner = alias(users, "owner");
  const ownerIs = (condition?: SQL) =>
    exists(
      db
        .select(one)
        .from(owner)
        .where(and(eq(owner.id, ownerId), isNull(owner.removalId), condition)),
    );
  return {
    approve: isHeld,
    dismiss: sql`(${openReport} or ${openSignal} and ${isCurrent})`,
    uphold: openAppeal,
    reverse: openAppeal,
    warn: sql`(${isOpen} or ${isCurrent} and ${ownerIs()})`,
    hide: sql`${isDecidable} and ${exists(hideable(db, kind, id))}`,
    remove: sql`${isDecidable} and ${exists(hideablePhone(db, id, ne(phones.status, "reserved")))}`,
    suspend: sql`${isDecidable} and ${ownerIs(ne(owner.userType, "Admin"))}`,
  };
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

/** What the decision replaces, approves, upholds or reverses, as a column. */
export function previousDecision(
  db: Db,
  decision: ModeratorDecision,
  { kind, id, ownerId }: ModeratedTarget,
): SQL {
  if (decision === "uphold" || decision === "reverse") return sql`${appealedDecision(db, kind, id)}`;
  if (decision === "suspend")
    return sql`(select owner.suspension_id from ${users} as owner where owner.id = ${ownerId})`;
  if (["approve", "hide", "remove"].includes(decision)) return sql`${heldBy(db, kind, id)}`;
  return sql`null`;
}

/** Condition on `decisions`: in force, appealed, and no moderator has ruled on it. */
export function hasOpenAppeal(db: Db) {
  const ruling = alias(decisions, "ruling");
  return and(
    isNotNull(decisions.appealedAt),
    isNull(decisions.endedAt),
    notExists(
      db
        .select(one)
        .from(ruling)
        .where(
          and(
            eq(ruling.previousId, decisions.id),
            inArray(ruling.kind, ["uphold", "reverse"]),
            isNull(ruling.endedAt),
          ),
        ),
    ),
  );
}

/** The hold of a listing that waits for approval, as a column. */
function heldBy(db: Db, kind: TargetKind, id: string) {
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

/** The newest decision about a target, as a column. */
function newestDecision(db: Db, kind: TargetKind, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id)))
    .orderBy(sql`${decisions.id} desc`)
    .limit(1)})`;
}

/** The newest decision about a target with an open appeal, as a column. */
function appealedDecision(db: Db, kind: TargetKind, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id), hasOpenAppeal(db)))
    .orderBy(sql`${decisions.id} desc`)
    .limit(1)})`;
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
export function hideablePhone(db: Db, id: string, condition?: SQL) {
  return db
    .select(one)
    .from(phones)
    .where(and(eq(phones.id, id), isHideable(db), condition));
}

/** Condition on `phones`: visible, held for approval or hidden with its suspended seller. */
export function isHideable(db: Db) {
  const other = alias(decisions, "other");
  const holdsAndSuspensions = db
    .select({ id: other.id })
    .from(other)
    .where(inArray(other.kind, ["hold", "suspend"]));
  return or(isNull(phones.removalId), inArray(phones.removalId, holdsAndSuspensions));
}
