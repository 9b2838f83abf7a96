import { and, count, desc, eq, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, decisions, priceChanges, users } from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { selectContent } from "./case-content.server.ts";
import { findLimit, findReversible, possibleDecisions } from "./decisions/decision-conditions.server.ts";
import { findSignals, listingsWithSameText } from "./signals/signals.server.ts";
import { findTarget } from "./target.server.ts";

const maxReports = 100;
const maxDecisions = 20;

/**
 * All that a moderator needs to decide about a target; null if there is no such target. Only who manages users sees email
 * addresses.
 */
export async function findCase(db: Db, moderator: Viewer, kind: TargetKind, id: string) {
  const target = await findTarget(db, kind, id);
  if (!target) return null;
  const seesAccounts = may(moderator, "manage users");
  const noAddress = sql<null>`null`.as("no_address");
  const reporter = alias(users, "reporter");
  const ofTarget = and(eq(contentReports.kind, kind), eq(contentReports.targetId, id));
  const [
    content,
    [owner],
    reports,
    [reportCount],
    ofThis,
    ofOwner,
    prices,
    signals,
    sameText,
    choices,
    reversible,
    limit,
  ] = await Promise.all([
    selectContent(db, kind, id, seesAccounts),
    db
      .select({
        id: users.id,
        name: users.name,
        email: seesAccounts ? users.email : noAddress,
        userType: users.userType,
        since: users.createdAt,
        isRemoved: sql<number>`${users.removalId} is not null`.mapWith(Boolean).as("is_removed"),
        suspensionId: users.suspensionId,
        suspendedUntil: users.suspendedUntil,
      })
      .from(users)
      .where(eq(users.id, target.ownerId)),
    db
      .select({
        id: contentReports.id,
        reason: contentReports.reason,
        details: contentReports.details,
        createdAt: contentReports.createdAt,
        reporterName: reporter.name,
        reporterEmail: seesAccounts ? reporter.email : noAddress,
        isOpen: sql<number>`${contentReports.decisionId} is null`.mapWith(Boolean).as("is_open"),
      })
      .from(contentReports)
      .leftJoin(reporter, and(eq(reporter.id, contentReports.reporterId), isNull(reporter.removalId)))
      .where(ofTarget)
      .orderBy(desc(contentReports.id))
      .limit(maxReports),
    db
      .select({ count: count() })
      .from(contentReports)
      .where(and(ofTarget, isNull(contentReports.decisionId))),
    selectDecisions(db, and(eq(decisions.targetKind, kind), eq(decisions.targetId, id))),
    selectDecisions(db, and(eq(decisions.ownerId, target.ownerId), ne(decisions.targetId, id))),
    db
      .select({
        oldCents: priceChanges.oldCents,
        newCents: priceChanges.newCents,
        at: priceChanges.createdAt,
      })
      .from(priceChanges)
      .where(eq(priceChanges.phoneId, id))
      .orderBy(desc(priceChanges.id))
      .limit(maxDecisions),
    findSignals(db, kind, id, target.ownerId),
    listingsWithSameText(db, kind, id),
    possibleDecisions(db, target),
    findReversible(db, target),
    findLimit(db, moderator, target),
  ]);
  return {
    target,
    content,
    owner: owner ?? null,
    openReports: reportCount?.count ?? 0,
    reports,
    ofThis,
    ofOwner,
    prices,
    signals,
    sameText,
    choices: limit ? choices.filter(limit.allows) : choices,
    reversible,
    limit: limit?.text ?? null,
    seesAccounts,
  };
}

/** A decision in a history. */
export type PastDecision = Awaited<ReturnType<typeof selectDecisions>>[number];

/** Of `decisions`, joined with the moderator in `users`. */
export const pastDecisionColumns = {
  id: decisions.id,
  kind: decisions.kind,
  targetKind: decisions.targetKind,
  targetId: decisions.targetId,
  target: decisions.target,
  reason: decisions.reason,
  until: decisions.until,
  createdAt: decisions.createdAt,
  endedAt: decisions.endedAt,
  appeal: decisions.appeal,
  moderator: users.name,
};

function selectDecisions(db: Db, condition: ReturnType<typeof and>) {
  return db
    .select(pastDecisionColumns)
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.actorId))
    .where(condition)
    .orderBy(desc(decisions.id))
    .limit(maxDecisions);
}

export type Case = NonNullable<Awaited<ReturnType<typeof findCase>>>;
