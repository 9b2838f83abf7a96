import { and, desc, eq, exists, ne } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, phones, users } from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import { formerMember } from "../../accounts/former-member.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { findTarget } from "../target.server.ts";
import { decidedAlready, longSuspensionText, ofStaffText, tooLongText } from "./decision.rules.ts";
import { type NewDecision, suspensionLengthsFor } from "./decision.schema.ts";
import { decisionConditions, hideablePhone, limitsOf } from "./decision-conditions.server.ts";
import { recordDecision } from "./record-decision.server.ts";

/**
 * "already decided": another moderator has decided since the page was read, or the decision is not possible now. "not
 * allowed": only administrators may. The message says which.
 */
export type DecisionOutcome =
  | { id: string; refusal?: undefined }
  | { id?: undefined; refusal: "already decided" | "not allowed"; message: string }
  | { id?: undefined; refusal: "not found" };

const notAllowedTexts = {
  "not allowed": "You’re no longer a moderator.",
  "of staff": ofStaffText,
  "long suspension": longSuspensionText,
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
  const target = await findTarget(db, kind, targetId);
  if (!target) return { refusal: "not found" };
  if (decision.decision === "suspend" && !suspensionLengthsFor(moderator).includes(decision.days)) {
    return { refusal: "not allowed", message: tooLongText };
  }
  const { [decision.decision]: isPossible } = decisionConditions(db, target, decision.lastDecisionId ?? "");
  const conditions = {
    ...limitsOf(db, moderator, target, decision.decision),
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
  return { refusal: "already decided", message: decidedAlready(isNew ? { kind: newest.kind, name } : null) };
}

/** Hides a listing as part of a bulk action, reported or not, unless it is reserved. */
export async function hideListing(db: Db, moderator: Viewer, id: string, reason: string, bulkKey: string) {
  const target = await findTarget(db, "listing", id);
  if (!target) return;
  const isHideable = exists(hideablePhone(db, id, ne(phones.status, "reserved")));
  await recordDecision(
    db,
    moderator,
    target,
    { decision: "hide", reason },
    { hidden: isHideable },
    { bulkKey },
  );
}
