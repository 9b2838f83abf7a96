import { and, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { DecisionKind, EmailOutcome } from "#app/db/enums.ts";
import {
  accountEmails,
  activity,
  contentReports,
  decisions,
  notifications,
  orders,
  phones,
  removals,
  reviews,
  ticketMessages,
  tickets,
  users,
} from "#app/db/schema.ts";
import { findAccount } from "../accounts/accounts.server.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { listSessions } from "../accounts/sessions.server.ts";
import { isSuspended, type Viewer } from "../accounts/viewer.ts";
import { canUndoColumn } from "../audit/activity.server.ts";
import { canUndo } from "../audit/removals.server.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { sellsOrHasListed } from "../listings/sellings.server.ts";
import { targetLabelOf } from "../moderation/reports/content-report.rules.ts";
import { newestContentReports } from "../moderation/reports/content-reports.server.ts";
import { isNotOwn } from "../moderation/target.server.ts";
import { notificationLine } from "../notifications/notification-subjects.server.ts";
import { notificationTexts } from "../notifications/notification-texts.ts";
import { orderStateColumns } from "../orders/order-steps.server.ts";
import { activityTargetText } from "./activity-texts.ts";
import { newestOf } from "./timeline.server.ts";
import { maxCounted } from "./user-details.rules.ts";

/** Rows of each list of a user's page; the tables have the others. */
const shownRows = 10;

/** An account as its page shows it to administrators. */
export type UserDetails = NonNullable<Awaited<ReturnType<typeof findUserDetails>>>;

/** Finds an account with the newest of what belongs to it, without the viewer’s own cases, in two round trips; null if it does not exist any more. */
export async function findUserDetails(db: Db, viewer: Pick<Viewer, "id">, userId: string) {
  const [user] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      userType: users.userType,
      verified: users.verified,
      emailVerifiedAt: users.emailVerifiedAt,
      createdAt: users.createdAt,
      suspensionId: users.suspensionId,
      suspendedUntil: users.suspendedUntil,
      moderatorSince: users.moderatorSince,
      termsVersionId: users.termsVersionId,
      privacyVersionId: users.privacyVersionId,
      sells: sql`${sellsOrHasListed(db)}`.mapWith(Boolean).as("sells"),
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removalId)));
  if (!user) return null;
  const isNotified = eq(notifications.userId, userId);
  // Without the reviewer's name, which is not read, a review would be that of somebody who has left.
  const isAboutRecords = sql`${notifications.kind} <> 'review'
    and (${notifications.kind} = 'decision' or ${notifications.path} like '/manage/orders/%')`;
  const isOfAccount = eq(accountEmails.userId, userId);
  const [trade, history, emails, unsent, open] = await Promise.all([
    findTrade(db, viewer, userId),
    findHistory(db, viewer, user),
    newest(
      db,
      notifications,
      isNotified,
      db
        .select({
          id: notifications.id,
          kind: notifications.kind,
          isAboutRecords: isAboutRecords.mapWith(Boolean).as("is_about_records"),
          subject: notifications.subject,
          details: notifications.details,
          outcome: notifications.emailOutcome,
          isDue: isNull(notifications.emailDoneAt).mapWith(Boolean).as("is_due"),
          createdAt: notifications.createdAt,
        })
        .from(notifications)
        .where(isNotified)
        .orderBy(desc(notifications.id))
        .limit(shownRows),
    ),
    newest(
      db,
      accountEmails,
      isOfAccount,
      db
        .select({
          kind: accountEmails.kind,
          outcome: accountEmails.emailOutcome,
          createdAt: accountEmails.createdAt,
        })
        .from(accountEmails)
        .where(isOfAccount)
        .orderBy(desc(accountEmails.createdAt))
        .limit(shownRows),
    ),
    listSessions(db, user, ""),
  ]);
  return {
    user,
    isSuspended: isSuspended(user),
    ...trade,
    ...history,
    /** Of notifications: what those of decisions and orders say, which staff sees anyway. */
    emails: {
      ...emails,
      rows: emails.rows.map(({ isAboutRecords, subject, details, ...row }) => ({
        ...row,
        text: isAboutRecords
          ? notificationLine(row.kind, subject, details)
          : notificationTexts[row.kind].label,
      })),
    },
    /** About the account: those that wait, and why others were not sent. */
    unsent,
    sessions: {
      // Their ids stay secret, as do the hashes by which the owner ends one of them.
      rows: open.sessions
        .slice(0, shownRows)
        .map(({ device, since, lastSeen }) => ({ device, since, lastSeen })),
      count: open.count,
    },
  };
}

/** The account with an email address, with its newest listings and orders; null if there is none. */
export async function findTradeOfAddress(db: Db, viewer: Pick<Viewer, "id">, email: string) {
  const account = email ? await findAccount(db, email) : null;
  if (!account) return null;
  const { listings, bought, sold } = await findTrade(db, viewer, account.id);
  return { user: { id: account.id, name: account.name, email: account.email }, listings, bought, sold };
}

/** The newest listings, orders and reviews of an account. */
async function findTrade(db: Db, viewer: Pick<Viewer, "id">, userId: string) {
  const isOwnListing = and(
    eq(phones.sellerId, userId),
    or(isNull(phones.hiddenById), userId === viewer.id ? undefined : hiddenByModerators(db)),
  );
  const isSold = eq(orders.soldById, userId);
  const isOwnReview = or(eq(reviews.authorId, userId), eq(reviews.subjectId, userId));
  const [listings, bought, sold, ownReviews] = await Promise.all([
    newest(
      db,
      phones,
      isOwnListing,
      db
        .select({
          id: phones.id,
          name: deviceNameColumn.as("name"),
          status: phones.status,
          priceCents: phones.sellingCents,
          createdAt: phones.createdAt,
          hiddenBy: sql<DecisionKind | null>`${decisions.kind}`.as("hidden_by"),
        })
        .from(phones)
        .leftJoin(decisions, eq(decisions.id, phones.hiddenById))
        .where(isOwnListing)
        .orderBy(desc(phones.id))
        .limit(shownRows),
    ),
    ordersOf(db, viewer, eq(orders.buyerId, userId)),
    ordersOf(db, viewer, isSold),
    newest(
      db,
      reviews,
      isOwnReview,
      db
        .select({
          id: reviews.id,
          orderId: reviews.orderId,
          stars: reviews.stars,
          text: reviews.text,
          isAuthor: eq(reviews.authorId, userId).mapWith(Boolean).as("is_author"),
          createdAt: reviews.createdAt,
        })
        .from(reviews)
        .where(isOwnReview)
        .orderBy(desc(reviews.id))
        .limit(shownRows),
    ),
  ]);
  return { listings, bought, sold, reviews: ownReviews };
}

function ordersOf(db: Db, viewer: Pick<Viewer, "id">, condition: SQL) {
  const isUndoable = hasRow(db, removals, and(eq(removals.id, orders.removalId), canUndo(db, viewer)));
  return newest(
    db,
    orders,
    condition,
    db
      .select({
        id: orders.id,
        name: orders.productName,
        priceCents: orders.priceCents,
        ...orderStateColumns(db),
        /** By which the viewer can undo the cancellation. */
        undoId: sql<string | null>`iif(${isUndoable}, ${orders.removalId}, null)`.as("undo_id"),
        createdAt: orders.createdAt,
      })
      .from(orders)
      .where(condition)
      .orderBy(desc(orders.id))
      .limit(shownRows),
  );
}

/** The newest reports by and about an account, decisions about it and actions of administrators on it. */
async function findHistory(
  db: Db,
  viewer: Pick<Viewer, "id">,
  { id, name, email }: { id: string; name: string; email: string },
) {
  const isOwnReport = and(emailEquals(tickets.email, email), isNull(tickets.removalId));
  const isAction = or(
    eq(activity.targetId, id),
    inArray(activity.targetId, newestOf(db, phones, eq(phones.sellerId, id))),
  );
  const isDecision = and(eq(decisions.ownerId, id), isNotOwn(decisions, viewer));
  const isSentReport = and(eq(contentReports.reporterId, id), isNotOwn(contentReports, viewer));
  const [sent, contentReportsSent, targets, actions, made] = await Promise.all([
    newest(
      db,
      tickets,
      isOwnReport,
      db
        .select({
          id: tickets.id,
          details: tickets.details,
          createdAt: tickets.createdAt,
          outcome: sql<EmailOutcome | "due" | null>`(${db
            .select({
              outcome: sql`iif(${ticketMessages.emailDoneAt} is null, 'due', ${ticketMessages.emailOutcome})`,
            })
            .from(ticketMessages)
            .where(and(eq(ticketMessages.ticketId, tickets.id), isNotNull(ticketMessages.authorId)))
            .orderBy(desc(ticketMessages.id))
            .limit(1)})`.as("outcome"),
        })
        .from(tickets)
        .where(isOwnReport)
        .orderBy(desc(tickets.id))
        .limit(shownRows),
    ),
    newest(db, contentReports, isSentReport, newestContentReports(db, viewer, isSentReport, shownRows)),
    reportedTargets(db, viewer, id),
    newest(
      db,
      activity,
      isAction,
      db
        .select({
          id: activity.id,
          action: activity.action,
          target: activity.target,
          details: activity.details,
          canUndo: canUndoColumn(db, viewer),
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
      name: targetLabelOf({ kind: row.kind, device, ownerName: name }),
    })),
    count: targets[0]?.targetCount ?? 0,
  };
  const named = {
    ...actions,
    rows: actions.rows.map(({ details, ...row }) => ({
      ...row,
      target: activityTargetText({ details, ...row }),
    })),
  };
  return { reports: sent, contentReportsSent, reported, actions: named, decisions: made };
}

/** The account and what is its own, as far as it was reported, the last reported first. */
function reportedTargets(db: Db, viewer: Pick<Viewer, "id">, ownerId: string) {
  const last = sql`max(${contentReports.id})`;
  return db
    .select({
      kind: contentReports.targetKind,
      targetId: contentReports.targetId,
      device: sql<string | null>`max(${deviceNameColumn})`.as("device"),
      reports: count().as("reports"),
      targetCount: sql<number>`count(*) over ()`.as("target_count"),
      open: sql<number>`sum(${contentReports.decisionId} is null)`.as("open"),
      lastAt: sql`max(${contentReports.createdAt})`.mapWith(contentReports.createdAt).as("last_at"),
    })
    .from(contentReports)
    .leftJoin(phones, and(eq(contentReports.targetKind, "listing"), eq(phones.id, contentReports.targetId)))
    .where(and(eq(contentReports.ownerId, ownerId), isNotOwn(contentReports, viewer)))
    .groupBy(contentReports.targetKind, contentReports.targetId)
    .orderBy(desc(last))
    .limit(shownRows);
}

/** The newest rows that a query reads, with the number of all that meet its condition, up to `maxCounted`. */
async function newest<Row>(
  db: Db,
  table: SQLiteTable,
  condition: SQL | undefined,
  query: PromiseLike<Row[]>,
): Promise<{ rows: Row[]; count: number }> {
  const counted = db.select({ one: sql`1` }).from(table).where(condition).limit(maxCounted);
  const [rows, [found]] = await Promise.all([
    query,
    db.select({ count: sql<number>`count(*)` }).from(sql`(${counted})`),
  ]);
  return { rows, count: found?.count ?? 0 };
}
