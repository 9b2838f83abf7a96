import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications, orders, reviews } from "#app/db/schema.ts";
import { notificationValues, reviewEventPrefix } from "../audit/notify.server.ts";

export const reviewsPath = sql`'/manage/orders/' || ${orders.id} || '/reviews'`;
export const reviewEvent = sql`${reviewEventPrefix} || ${reviews.id}`;

/** A statement that notifies the rated side of a published review, once. @param review condition that at most one meets */
export function notifyOfReview(db: Db, review: SQL | undefined) {
  const { subjectId: userId } = reviews;
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("review", {
            userId,
            subject: orders.productName,
            path: reviewsPath,
            event: reviewEvent,
          }),
        )
        .from(reviews)
        .innerJoin(orders, eq(orders.id, reviews.orderId))
        .where(review),
    )
    .onConflictDoNothing();
}

/** A statement that notifies the author of a review of its reply. @param review condition that at most one meets */
export function notifyOfReply(db: Db, review: SQL | undefined) {
  const { authorId: userId } = reviews;
  const replyEvent = sql`'review reply ' || ${reviews.id}`;
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("review reply", {
            userId,
            subject: orders.productName,
            path: reviewsPath,
            event: replyEvent,
          }),
        )
        .from(reviews)
        .innerJoin(orders, eq(orders.id, reviews.orderId))
        .where(review),
    )
    .onConflictDoNothing();
}
