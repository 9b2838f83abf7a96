import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { isWithin } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { allRows, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { contentReports, decisions, phones, users } from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import { usersNamed } from "../../accounts/accounts.server.ts";
import { formerMember } from "../../accounts/former-member.ts";
import { deviceNameColumn } from "../../listings/phones.server.ts";
import { nameOf } from "../moderation-queue.server.ts";
import type { ContentReportQuery } from "./content-report-table.rules.ts";

/** A page of the reports of content, by default the newest first. @param byAddress whether names include email addresses */
export async function listContentReports(
  db: Db,
  cursor: Cursor,
  query: ContentReportQuery = { filters: {} },
  byAddress = true,
) {
  const page = await numberedPage(db, cursor, await reportsMatching(db, query, byAddress));
  return { ...page, rows: page.rows.map(withTarget) };
}

/** A row of the table: a report with what it is about. */
export type ContentReportRow = Awaited<ReturnType<typeof listContentReports>>["rows"][number];

/** The newest reports of content that meet a condition on `contentReports`. */
export async function newestContentReports(db: Db, where: SQL | undefined, limit: number) {
  const newest = {
    where,
    orderBy: [desc(contentReports.id)],
    limit,
    sortValue: sql<null>`null`.as("sort_value"),
  };
  return (await selectReports(db, newest)).map(withTarget);
}

/** Fewer than of other tables, since their texts are long. */
const reportsAtOnce = 500;

/** All reports of content that match a table's query, in batches. */
export async function* exportContentReports(db: Db, query: ContentReportQuery) {
  for await (const rows of allRows(await reportsMatching(db, query), reportsAtOnce))
    yield rows.map(withTarget);
}

function withTarget<Row extends { kind: ContentReportKind; device: string | null; ownerName: string }>({
  device,
  ...row
}: Row) {
  return { ...row, target: device ?? nameOf(row) };
}

type ContentReportKind = (typeof contentReports.$inferSelect)["kind"];

async function reportsMatching(
  db: Db,
  { filters: { q, owner, kind, state, from, to }, order }: ContentReportQuery,
  byAddress = true,
) {
  const indexed = await selectiveFilters(db, contentReports, [
    q && inArray(contentReports.reporterId, usersNamed(db, q, byAddress)),
    owner && inArray(contentReports.ownerId, usersNamed(db, owner, byAddress)),
    kind && eq(contentReports.kind, kind),
    state && (state === "open" ? isNull : isNotNull)(contentReports.decisionId),
  ]);
  return {
    table: contentReports,
    where: and(...indexed, ...isWithin(contentReports.createdAt, dayRange({ from, to }))),
    order: order === "oldest" ? asc : desc,
    read: (page: PageQuery) => selectReports(db, page),
  };
}

function selectReports(db: Db, { where, orderBy, limit, sortValue }: PageQuery) {
  const reporter = alias(users, "reporter");
  const target = alias(users, "owner");
  return db
    .select({
      id: contentReports.id,
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      reason: contentReports.reason,
      details: contentReports.details,
      createdAt: contentReports.createdAt,
      device: sql<string | null>`${deviceNameColumn}`.as("device"),
      ownerName: sql<string>`coalesce(${target.name}, ${formerMember})`.as("owner_name"),
      reporterId: sql<string | null>`${reporter.id}`.as("reporter_account"),
      reporterName: sql<string>`coalesce(${reporter.name}, ${formerMember})`.as("reporter_name"),
      decision: sql<(typeof decisions.$inferSelect)["kind"] | null>`${decisions.kind}`.as("decision"),
      sortValue,
    })
    .from(contentReports)
    .leftJoin(reporter, and(eq(reporter.id, contentReports.reporterId), isNull(reporter.removalId)))
    .leftJoin(target, eq(target.id, contentReports.ownerId))
    .leftJoin(phones, and(eq(contentReports.kind, "listing"), eq(phones.id, contentReports.targetId)))
    .leftJoin(decisions, eq(decisions.id, contentReports.decisionId))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}
