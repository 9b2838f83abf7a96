import { and, eq, exists, inArray, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { decisions, messages, phones, removals, reviews, users } from "#app/db/schema.ts";
import type { DecisionKind, TargetKind } from "#app/db/values.ts";
import type { ModeratedTarget } from "../target.server.ts";
import type { ModeratorDecision, Reversible } from "./decision.rules.ts";

const one = { one: sql`1` };

/** What the decision replaces, approves, upholds or reverses, as a column. */
export function previousDecision(db: Db, decision: ModeratorDecision, target: ModeratedTarget): SQL {
  const { kind, id, ownerId } = target;
  if (decision === "uphold") return appealedDecision(db, kind, id);
  if (decision === "reverse")
    return sql`coalesce(${appealedDecision(db, kind, id)}, ${inForceDecision(db, target)})`;
  if (decision === "suspend")
    return sql`(select owner.suspension_id from ${users} as owner where owner.id = ${ownerId})`;
  if (decision === "remove")
    return sql`coalesce(${heldBy(db, kind, id)}, ${inForceDecision(db, target, ["hide"])})`;
  if (decision === "approve" || decision === "hide") return heldBy(db, kind, id);
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
export async function findReversible(db: Db, target: ModeratedTarget): Promise<Reversible | null> {
  const [found] = await db
    .select({
      kind: decisions.kind,
      hasOpenAppeal: sql<number>`${hasOpenAppeal(db)}`.mapWith(Boolean).as("has_open_appeal"),
      isInForce: sql<number>`${decisions.endedAt} is null`.mapWith(Boolean).as("is_in_force"),
    })
    .from(decisions)
    .where(eq(decisions.id, previousDecision(db, "reverse", target)));
  return found ?? null;
}

/** Condition on `decisions`: a later one, which nobody has undone, replaces it or rules on it. */
export function hasLaterDecision(db: Db) {
  const later = alias(decisions, "later");
  return exists(
    db
      .select(one)
      .from(later)
      .innerJoin(removals, and(eq(removals.id, later.id), isNull(removals.undoneAt)))
      .where(eq(later.previousId, decisions.id)),
  );
}

/** The hold of a listing that waits for approval, as a column. */
export function heldBy(db: Db, kind: TargetKind, id: string) {
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

/**
 * The newest decision that hides a target or suspends its owner now, as a column. A suspension counts for the target
 * that it was decided about and for the account.
 */
export function inForceDecision(
  db: Db,
  { kind, id, ownerId }: Omit<ModeratedTarget, "name">,
  kinds: DecisionKind[] = ["hide", "suspend"],
) {
  const hiddenBy = {
    listing: sql`(select removal_id from ${phones} where id = ${id})`,
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
        kind === "seller"
          ? undefined
          : or(eq(decisions.kind, "hide"), and(eq(decisions.targetKind, kind), eq(decisions.targetId, id))),
      ),
    )
    .orderBy(sql`${decisions.id} desc`)
    .limit(1)})`;
}

/** The newest decision about a target, as a column. */
export function newestDecision(db: Db, kind: TargetKind, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id)))
    .orderBy(sql`${decisions.id} desc`)
    .limit(1)})`;
}

/** The newest decision about a target with an open appeal, as a column. */
export function appealedDecision(db: Db, kind: TargetKind, id: string) {
  return sql`(${db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id), hasOpenAppeal(db)))
    .orderBy(sql`${decisions.id} desc`)
    .limit(1)})`;
}
