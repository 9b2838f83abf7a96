import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { ContentReportReason, TargetKind } from "#app/db/enums.ts";
import { allRows, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import {
  contentReports,
  conversationParticipants,
  decisions,
  messages,
  phones,
  reviews,
  users,
} from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import { usersNamed } from "../../accounts/accounts.server.ts";
import { may } from "../../accounts/permissions.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { formerMember } from "../../accounts/viewer.ts";
import { hasSellerPage } from "../../catalog/seller.server.ts";
import { deviceNameColumn } from "../../listings/listings.server.ts";
import { messagePath } from "../../messages/message.rules.ts";
import { isNotOwn } from "../target.server.ts";
import { type ContentReportQuery, reasonText, targetLabelOf } from "./content-report.rules.ts";
import type { NewContentReport } from "./content-report.schema.ts";

/** What a viewer is about to report. */
interface ReportableTarget {
  ownerId: string;
  name: string;
  /** The page that shows it to the viewer. */
  path: string;
  isReported: boolean;
}

/** Finds what a viewer can see and report; null for anything else. */
export async function findReportTarget(
  db: Db,
  viewer: Viewer,
  kind: TargetKind,
  id: string,
): Promise<ReportableTarget | null> {
  const isReported = hasRow(db, contentReports, isOpenReport(viewer, kind, id))
    .mapWith(Boolean)
    .as("is_reported");
  if (kind === "listing") {
    const [listing] = await db
      .select({ ownerId: phones.sellerId, name: sql<string>`${deviceNameColumn}`.as("name"), isReported })
      .from(phones)
      .where(and(eq(phones.id, id), isNull(phones.hiddenById)));
    return listing ? { ...listing, path: `/phones/${id}` } : null;
  }
  if (kind === "seller") {
    const [seller] = await db
      .select({ ownerId: users.id, name: users.name, isReported })
      .from(users)
      .where(hasSellerPage(db, id));
    return seller ? { ...seller, path: `/sellers/${id}` } : null;
  }
  if (kind === "message") {
    const [message] = await db
      .select({
        ownerId: messages.senderId,
        name: sql<string>`substr(${messages.text}, 1, 100)`.as("name"),
        isReported,
        conversationId: messages.conversationId,
      })
      .from(messages)
      // Only the two sides of the conversation see it.
      .innerJoin(
        conversationParticipants,
        and(
          eq(conversationParticipants.conversationId, messages.conversationId),
          eq(conversationParticipants.userId, viewer.id),
        ),
      )
      .where(and(eq(messages.id, id), isNull(messages.hiddenById)));
    if (!message) return null;
    const { conversationId, ...target } = message;
    return { ...target, path: messagePath(conversationId, id) };
  }
  const [review] = await db
    .select({
      ownerId: reviews.authorId,
      name: sql<string>`substr(${reviews.text}, 1, 100)`.as("name"),
      isReported,
      orderId: reviews.orderId,
      subjectId: reviews.subjectId,
    })
    .from(reviews)
    .where(
      and(
        eq(reviews.id, id),
        isNull(reviews.hiddenById),
        lte(reviews.publishedAt, new Date()),
        // Only the buyer sees the seller's review.
        or(eq(reviews.authorRole, "buyer"), eq(reviews.subjectId, viewer.id)),
      ),
    );
  if (!review) return null;
  const { orderId, subjectId, ...target } = review;
  const path =
    subjectId === viewer.id ? `/manage/orders/${orderId}/reviews` : `/sellers/${subjectId}/reviews`;
  return { ...target, path };
}

/** "not found" also for what the viewer cannot see. */
type ContentReportOutcome =
  | { id: string; refusal?: undefined; path: string }
  | { refusal: "already reported" | "own" | "not found" };

/** Stores a report, one open report for each reporter and target. The same report sent again is stored once. */
export async function reportContent(
  db: Db,
  viewer: Viewer,
  kind: TargetKind,
  targetId: string,
  { reason, details }: NewContentReport,
): Promise<ContentReportOutcome> {
  const target = await findReportTarget(db, viewer, kind, targetId);
  if (!target) return { refusal: "not found" };
  if (target.ownerId === viewer.id) return { refusal: "own" };
  const { ownerId, path } = target;
  const id = timeOrderedId();
  const [stored, [open]] = await db.batch([
    db
      .insert(contentReports)
      .values({ id, targetKind: kind, targetId, ownerId, reporterId: viewer.id, reason, details })
      .onConflictDoNothing()
      .returning({ id: contentReports.id }),
    db
      .select()
      .from(contentReports)
      .where(isOpenReport(viewer, kind, targetId)),
  ]);
  if (stored.length > 0) return { id, path };
  const isSame = open?.reason === reason && open.details === details;
  return open && isSame ? { id: open.id, path } : { refusal: "already reported" };
}

/** The messages of a conversation that the viewer has reported and no moderator has decided about. */
export async function reportedMessages(db: Db, viewer: Viewer, conversationId: string): Promise<string[]> {
  const rows = await db
    .select({ id: messages.id })
    .from(contentReports)
    .innerJoin(messages, eq(messages.id, contentReports.targetId))
    .where(
      and(
        eq(contentReports.targetKind, "message"),
        eq(contentReports.reporterId, viewer.id),
        isNull(contentReports.decisionId),
        eq(messages.conversationId, conversationId),
      ),
    );
  return rows.map(({ id }) => id);
}

function isOpenReport(viewer: Viewer, kind: TargetKind, targetId: string) {
  return and(
    eq(contentReports.targetKind, kind),
    eq(contentReports.targetId, targetId),
    eq(contentReports.reporterId, viewer.id),
    isNull(contentReports.decisionId),
  );
}

/** A page of the reports of others’ content, by default the newest first. */
export async function listContentReports(
  db: Db,
  viewer: Viewer,
  cursor: Cursor,
  query: ContentReportQuery = { filters: {} },
) {
  const page = await numberedPage(db, cursor, await reportsMatching(db, viewer, query));
  return { ...page, rows: page.rows.map(withNames) };
}

/** The newest reports of others’ content that meet a condition on `contentReports`. */
export async function newestContentReports(
  db: Db,
  viewer: Pick<Viewer, "id">,
  where: SQL | undefined,
  limit: number,
) {
  const newest = {
    where: and(where, isNotOwn(contentReports, viewer)),
    orderBy: [desc(contentReports.id)],
    limit,
    sortValue: sql<null>`null`.as("sort_value"),
  };
  return (await selectReports(db, newest)).map(withNames);
}

/** Fewer than of other tables, since their texts are long. */
const reportsAtOnce = 500;

/** All reports of others’ content that match a table's query, in batches. */
export async function* exportContentReports(db: Db, query: ContentReportQuery, viewer: Viewer) {
  for await (const rows of allRows(await reportsMatching(db, viewer, query), reportsAtOnce))
    yield rows.map(withNames);
}

function withNames<
  Row extends { kind: TargetKind; reason: ContentReportReason; device: string | null; ownerName: string },
>({ device, reason, ...row }: Row) {
  return { ...row, target: targetLabelOf({ device, ...row }), reason: reasonText(reason) };
}

async function reportsMatching(
  db: Db,
  viewer: Viewer,
  { filters: { q, owner, kind, state, from, to }, sort }: ContentReportQuery,
) {
  const byAddress = may(viewer, "manage users");
  const indexed = await selectiveFilters(db, contentReports, [
    q && inArray(contentReports.reporterId, usersNamed(db, q, byAddress)),
    owner && inArray(contentReports.ownerId, usersNamed(db, owner, byAddress)),
    kind && eq(contentReports.targetKind, kind),
    state && (state === "open" ? isNull : isNotNull)(contentReports.decisionId),
  ]);
  return {
    table: contentReports,
    where: and(
      ...indexed,
      isNotOwn(contentReports, viewer),
      ...isWithin(contentReports.createdAt, dayRange({ from, to })),
    ),
    order: sort === "oldest" ? asc : desc,
    read: (page: PageQuery) => selectReports(db, page),
  };
}

function selectReports(db: Db, { where, orderBy, limit, sortValue }: PageQuery) {
  const reporter = alias(users, "reporter");
  const target = alias(users, "owner");
  return db
    .select({
      id: contentReports.id,
      kind: contentReports.targetKind,
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
    .leftJoin(phones, and(eq(contentReports.targetKind, "listing"), eq(phones.id, contentReports.targetId)))
    .leftJoin(decisions, eq(decisions.id, contentReports.decisionId))
    .where(where)
    .orderBy(...orderBy)
    .limit(limit);
}
