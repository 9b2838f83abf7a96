import { and, count, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, contentReports, decisions, phones, reports } from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { targetName } from "../moderation/reports/content-report.rules.ts";
import { newestContentReports } from "../moderation/reports/content-reports.server.ts";
import { newest, shownRows } from "./newest-rows.server.ts";

/** The newest reports by and about an account, decisions about it and actions of administrators on it. */
export async function findHistory(db: Db, { id, name, email }: { id: string; name: string; email: string }) {
  const isOwnReport = and(emailEquals(reports.email, email), isNull(reports.removalId));
  const isAction = or(
    eq(activity.targetId, id),
    inArray(activity.targetId, db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, id))),
  );
  const isDecision = eq(decisions.ownerId, id);
  const isOwnContentReport = eq(contentReports.reporterId, id);
  const [sent, contentReportsSent, targets, actions, made] = await Promise.all([
    newest(
      db,
      reports,
      isOwnReport,
      db
        .select({ id: reports.id, details: reports.details, createdAt: reports.createdAt })
        .from(reports)
        .where(isOwnReport)
        .orderBy(desc(reports.id))
        .limit(shownRows),
    ),
    newest(db, contentReports, isOwnContentReport, newestContentReports(db, isOwnContentReport, shownRows)),
    reportedTargets(db, id),
    newest(
      db,
      activity,
      isAction,
      db
        .select({
          id: activity.id,
          action: activity.action,
          target: activity.target,
          isOfAccount: eq(activity.targetId, id).mapWith(Boolean).as("is_of_account"),
          actorEmail: activity.actorEmail,
          createdAt: activity.createdAt,
        })
        .from(activity)
        .where(isAction)
        .orderBy(desc(activity.id))
        .limit(shownRows),
    ),
    newest(
      db,
      decisions,
      isDecision,
      db
        .select({
          id: decisions.id,
          kind: decisions.kind,
          targetKind: decisions.targetKind,
          targetId: decisions.targetId,
          target: decisions.target,
          reason: decisions.reason,
          until: decisions.until,
          createdAt: decisions.createdAt,
          endedAt: decisions.endedAt,
        })
        .from(decisions)
        .where(isDecision)
        .orderBy(desc(decisions.id))
        .limit(shownRows),
    ),
  ]);
  const reported = {
    rows: targets.map(({ device, targetCount: _, ...row }) => ({
      ...row,
      name: device ?? targetName({ kind: row.kind, ownerName: name }),
    })),
    count: targets[0]?.targetCount ?? 0,
  };
  return { reports: sent, contentReportsSent, reported, actions, decisions: made };
}

/** The account and what is its own, as far as it was reported, the last reported first. */
function reportedTargets(db: Db, ownerId: string) {
  const last = sql`max(${contentReports.id})`;
  return db
    .select({
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      device: sql<string | null>`max(${deviceNameColumn})`.as("device"),
      reports: count().as("reports"),
      targetCount: sql<number>`count(*) over ()`.as("target_count"),
      open: sql<number>`sum(${contentReports.decisionId} is null)`.as("open"),
      lastAt: sql`max(${contentReports.createdAt})`.mapWith(contentReports.createdAt).as("last_at"),
    })
    .from(contentReports)
    .leftJoin(phones, and(eq(contentReports.kind, "listing"), eq(phones.id, contentReports.targetId)))
    .where(eq(contentReports.ownerId, ownerId))
    .groupBy(contentReports.kind, contentReports.targetId)
    .orderBy(desc(last))
    .limit(shownRows);
}
