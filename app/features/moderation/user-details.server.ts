import { and, count, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  bookings,
  contentReports,
  decisions,
  phones,
  reports,
  reviews,
  sessions,
  users,
} from "#app/db/schema.ts";
import type { DecisionKind } from "#app/db/values.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { listSessions } from "../accounts/sessions.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { nameOf } from "./moderation-queue.server.ts";

/** An account as its page shows it to administrators. */
export type UserDetails = NonNullable<Awaited<ReturnType<typeof findUserDetails>>>;

/** Rows of each list; the tables have the others. */
const shownRows = 10;

/** Finds an account with the newest of what belongs to it, in two round trips; null if it does not exist any more. */
export async function findUserDetails(db: Db, userId: string) {
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
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.removalId)));
  if (!user) return null;
  const isOwnListing = and(eq(phones.sellerId, userId), or(isNull(phones.removalId), hiddenByModerators(db)));
  const isBought = eq(bookings.buyerId, userId);
  const isSold = inArray(
    bookings.phoneId,
    db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, userId)),
  );
  const isOwnReport = and(emailEquals(reports.email, user.email), isNull(reports.removalId));
  const isOwnReview = or(eq(reviews.authorId, userId), eq(reviews.subjectId, userId));
  const isAction = or(
    eq(activity.targetId, userId),
    inArray(activity.targetId, db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, userId))),
  );
  const isDecision = eq(decisions.ownerId, userId);
  const [listings, bought, sold, sentReports, targets, ownReviews, open, actions, made, ...counts] =
    await Promise.all([
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
        .leftJoin(decisions, eq(decisions.id, phones.removalId))
        .where(isOwnListing)
        .orderBy(desc(phones.id))
        .limit(shownRows),
      ordersOf(db, isBought),
      ordersOf(db, isSold),
      db
        .select({ id: reports.id, details: reports.details, createdAt: reports.createdAt })
        .from(reports)
        .where(isOwnReport)
        .orderBy(desc(reports.id))
        .limit(shownRows),
      reportedTargets(db, userId),
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
      listSessions(db, user, ""),
      db
        .select({
          id: activity.id,
          action: activity.action,
          target: activity.target,
          isOfAccount: eq(activity.targetId, userId).mapWith(Boolean).as("is_of_account"),
          actorEmail: activity.actorEmail,
          createdAt: activity.createdAt,
        })
        .from(activity)
        .where(isAction)
        .orderBy(desc(activity.id))
        .limit(shownRows),
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
      countOf(db, phones, isOwnListing),
      countOf(db, bookings, isBought),
      countOf(db, bookings, isSold),
      countOf(db, reports, isOwnReport),
      countOf(db, reviews, isOwnReview),
      countOf(db, activity, isAction),
      countOf(db, decisions, isDecision),
    ]);
  const [listingCount, boughtCount, soldCount, reportCount, reviewCount, actionCount, decisionCount] = counts;
  return {
    user,
    listings: { rows: listings, count: listingCount },
    bought: { rows: bought, count: boughtCount },
    sold: { rows: sold, count: soldCount },
    reports: { rows: sentReports, count: reportCount },
    reported: {
      rows: targets.map(({ device, targetCount: _, ...row }) => ({
        ...row,
        name: device ?? nameOf({ kind: row.kind, ownerName: user.name }),
      })),
      count: targets[0]?.targetCount ?? 0,
    },
    reviews: { rows: ownReviews, count: reviewCount },
    sessions: {
      // Their ids stay secret, as do the hashes by which the owner ends one of them.
      rows: open.sessions
        .slice(0, shownRows)
        .map(({ device, since, lastSeen }) => ({ device, since, lastSeen })),
      count: open.count,
    },
    actions: { rows: actions, count: actionCount },
    decisions: { rows: made, count: decisionCount },
  };
}

function ordersOf(db: Db, condition: SQL) {
  return db
    .select({
      id: bookings.id,
      name: bookings.productName,
      priceCents: bookings.priceCents,
      status: bookings.status,
      stage: bookings.stage,
      createdAt: bookings.createdAt,
    })
    .from(bookings)
    .where(condition)
    .orderBy(desc(bookings.id))
    .limit(shownRows);
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
      lastAt: sql<Date>`max(${contentReports.createdAt})`.mapWith(contentReports.createdAt).as("last_at"),
    })
    .from(contentReports)
    .leftJoin(phones, and(eq(contentReports.kind, "listing"), eq(phones.id, contentReports.targetId)))
    .where(eq(contentReports.ownerId, ownerId))
    .groupBy(contentReports.kind, contentReports.targetId)
    .orderBy(desc(last))
    .limit(shownRows);
}

async function countOf(db: Db, table: SQLiteTable, condition: SQL | undefined): Promise<number> {
  const [row] = await db.select({ count: count() }).from(table).where(condition);
  return row?.count ?? 0;
}

/** Ends all sessions of a user, except those of the administrator; false if there was none. */
export async function endSessions(db: Db, admin: Viewer, userId: string): Promise<boolean> {
  const own = and(eq(sessions.userId, userId), ne(sessions.userId, admin.id));
  const hasSession = inArray(users.id, db.select({ id: sessions.userId }).from(sessions).where(own));
  const [, ended] = await db.batch([
    db.insert(activity).select(
      db
        .select(activityValues(admin, "ended sessions", users.id, users.email))
        .from(users)
        .where(hasSession),
    ),
    db.delete(sessions).where(own).returning({ id: sessions.id }),
  ]);
  return ended.length > 0;
}
