import { and, eq, gt, isNull, lt, lte, not, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { notifications, orderSteps, orders, reviews, sentEmails, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { hasOpenProblem } from "../audit/order-windows.server.ts";
import { notifyOfReview, reviewEvent, reviewsPath } from "./review-notifications.server.ts";

/** Reviews of one run of the job; the next run continues. */
const maxReviews = 100;

/** Notifies the rated side of reviews that were published within a day because the other side wrote none. */
export async function notifyOfPublishedReviews(db: Db, now = new Date()): Promise<void> {
  const isNotified = hasRow(
    db,
    notifications,
    and(eq(notifications.userId, reviews.subjectId), eq(notifications.event, reviewEvent)),
  );
  const due = await db
    .select({ id: reviews.id })
    .from(reviews)
    .where(
      and(
        gt(reviews.publishedAt, new Date(now.getTime() - dayMs)),
        lte(reviews.publishedAt, now),
        not(isNotified),
      ),
    )
    .orderBy(reviews.publishedAt)
    .limit(maxReviews);
  const [first, ...others] = due.map(({ id }) => notifyOfReview(db, eq(reviews.id, id)));
  if (first) await db.batch([first, ...others]);
}

/** Invitations of one run of the job; the next run continues. */
const maxInvitations = 50;
/** Later than this after the receipt, nobody is invited. */
const latestDays = 8;

const invitationEvent = sql<string>`'review invitation ' || ${orders.id}`;

/** Invites buyers who received their phone a day ago to review the seller, once for each order. */
export async function inviteReviewers(db: Db, now = new Date()): Promise<void> {
  const isInvitation = and(
    eq(notifications.userId, orders.buyerId),
    eq(notifications.event, invitationEvent),
  );
  const due = await db
    .select({ orderId: orders.id })
    .from(orderSteps)
    .innerJoin(orders, eq(orders.id, orderSteps.orderId))
    .innerJoin(users, eq(users.id, orders.buyerId))
    .where(
      and(
        eq(orderSteps.kind, "received"),
        lt(orderSteps.createdAt, new Date(now.getTime() - dayMs)),
        gt(orderSteps.createdAt, new Date(now.getTime() - latestDays * dayMs)),
        eq(orders.status, "active"),
        isNull(users.removalId),
        not(hasRow(db, notifications, isInvitation)),
        // Earlier versions recorded their invitations as emails alone.
        not(hasRow(db, sentEmails, eq(sentEmails.id, invitationEvent))),
        not(hasOpenProblem(db)),
        not(hasRow(db, reviews, and(eq(reviews.orderId, orders.id), eq(reviews.authorRole, "buyer")))),
      ),
    )
    .orderBy(orderSteps.createdAt)
    .limit(maxInvitations);
  const [first, ...others] = due.map(({ orderId }) => invite(db, orderId));
  if (first) await db.batch([first, ...others]);
}

function invite(db: Db, orderId: string) {
  const invitation = notificationValues("review invitation", {
    userId: orders.buyerId,
    subject: orders.productName,
    path: reviewsPath,
    event: invitationEvent,
  });
  return db
    .insert(notifications)
    .select(db.select(invitation).from(orders).where(eq(orders.id, orderId)))
    .onConflictDoNothing();
}
