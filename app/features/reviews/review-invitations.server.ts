import { and, eq, gt, isNull, lt, notExists, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications, orderSteps, orders, reviews, sentEmails, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { notificationValues } from "../notifications/notify.server.ts";

/** Invitations of one run of the job; the next run continues. */
const maxInvitations = 50;
/** Later than this after the receipt, nobody is invited. */
const latestDays = 8;

const event = sql<string>`'review invitation ' || ${orders.id}`;

/** Invites buyers who received their phone a day ago to review the seller, once for each order. */
export async function inviteReviewers(db: Db, now = new Date()): Promise<void> {
  const ofOrder = db.select({ one: sql`1` });
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
        isNull(users.removalId),
        notExists(
          ofOrder
            .from(notifications)
            .where(and(eq(notifications.userId, orders.buyerId), eq(notifications.event, event))),
        ),
        // Earlier versions recorded their invitations as emails alone.
        notExists(ofOrder.from(sentEmails).where(eq(sentEmails.id, event))),
        notExists(
          ofOrder.from(reviews).where(and(eq(reviews.orderId, orders.id), eq(reviews.authorRole, "buyer"))),
        ),
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
    path: sql`'/manage/orders/' || ${orders.id} || '/reviews'`,
    event,
  });
  return db
    .insert(notifications)
    .select(db.select(invitation).from(orders).where(eq(orders.id, orderId)))
    .onConflictDoNothing();
}
