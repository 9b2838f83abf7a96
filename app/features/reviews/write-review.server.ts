import { and, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, phones, reviews } from "#app/db/schema.ts";
import { type ReviewRole, reviewRoles } from "#app/db/values.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { earliestEditable, earliestReceipt, publicationDate } from "./review.rules.ts";
import type { NewReview } from "./review.schema.ts";
import { notifyOfReply, notifyOfReview } from "./review-notifications.server.ts";
import { isOrderOf } from "./reviews.server.ts";

/** "not found" if the viewer is neither buyer nor seller of such an order. */
export type ReviewOutcome =
  | "saved"
  | "stars are final"
  | "too late"
  | "replied to"
  | "not received"
  | "not found";

/**
 * Stores the viewer's review of the other side of an order, or changes it. When both sides have reviewed the order,
 * both reviews are published, and their stars are final. The same review sent again is saved once.
 */
export async function saveReview(
  db: Db,
  viewer: Viewer,
  orderId: string,
  { stars, text }: NewReview,
  now = new Date(),
): Promise<ReviewOutcome> {
  const id = timeOrderedId();
  const own = and(eq(reviews.orderId, orderId), eq(reviews.authorId, viewer.id));
  const [edited, inserted] = await db.batch([
    db
      .update(reviews)
      .set({ stars, text, editedAt: now })
      .where(
        and(
          own,
          gt(reviews.createdAt, earliestEditable(now)),
          // The reply must not stand below another text.
          isNull(reviews.reply),
          or(eq(reviews.stars, stars), gt(reviews.publishedAt, now)),
          or(ne(reviews.stars, stars), ne(reviews.text, text)),
        ),
      )
      .returning({ id: reviews.id }),
    db
      .insert(reviews)
      .select(newReview(db, viewer, orderId, { id, stars, text }, now))
      .onConflictDoNothing()
      .returning({ id: reviews.id }),
    db
      .update(reviews)
      .set({ publishedAt: now })
      .where(
        and(
          eq(reviews.orderId, orderId),
          gt(reviews.publishedAt, now),
          sql`(select count(*) from ${reviews} as both where both.order_id = ${orderId}) = 2`,
        ),
      ),
    ...reviewRoles.map((authorRole) =>
      notifyOfReview(
        db,
        and(eq(reviews.orderId, orderId), eq(reviews.authorRole, authorRole), eq(reviews.publishedAt, now)),
      ),
    ),
  ]);
  if (edited.length > 0 || inserted.length > 0) return "saved";
  return findOutcome(db, viewer, orderId, stars, now);
}

/** Selects the row of a review from its order, if the viewer may write it. */
function newReview(
  db: Db,
  viewer: Viewer,
  orderId: string,
  { id, stars, text }: NewReview & { id: string },
  now: Date,
) {
  const isBuyer = sql`${bookings.buyerId} = ${viewer.id}`;
  return db
    .select({
      id: sql<string>`${id}`.as("id"),
      orderId: bookings.id,
      authorRole: sql<ReviewRole>`iif(${isBuyer}, 'buyer', 'seller')`.as("author_role"),
      authorId: sql<string>`${viewer.id}`.as("author_id"),
      subjectId: sql<string>`iif(${isBuyer}, ${phones.sellerId}, ${bookings.buyerId})`.as("subject_id"),
      stars: sql<number>`${stars}`.as("stars"),
      text: sql<string>`${text}`.as("text"),
      createdAt: sql<Date>`${now.getTime()}`.as("created_at"),
      editedAt: sql<Date | null>`null`.as("edited_at"),
      publishedAt: sql<Date>`${publicationDate(now).getTime()}`.as("published_at"),
      reply: sql<string | null>`null`.as("reply"),
      repliedAt: sql<Date | null>`null`.as("replied_at"),
      hiddenById: sql<string | null>`null`.as("hidden_by_id"),
    })
    .from(bookings)
    .innerJoin(phones, eq(phones.id, bookings.phoneId))
    .innerJoin(orderSteps, and(eq(orderSteps.orderId, bookings.id), eq(orderSteps.kind, "received")))
    .where(
      and(
        isOrderOf(viewer, orderId),
        eq(bookings.status, "active"),
        eq(bookings.stage, "received"),
        gt(orderSteps.createdAt, earliestReceipt(now)),
      ),
    );
}

async function findOutcome(
  db: Db,
  viewer: Viewer,
  orderId: string,
  stars: number,
  now: Date,
): Promise<ReviewOutcome> {
  const [order] = await db
    .select({
      stage: bookings.stage,
      status: bookings.status,
      createdAt: reviews.createdAt,
      reply: reviews.reply,
      stars: reviews.stars,
    })
    .from(bookings)
    .innerJoin(phones, eq(phones.id, bookings.phoneId))
    .leftJoin(reviews, and(eq(reviews.orderId, bookings.id), eq(reviews.authorId, viewer.id)))
    .where(isOrderOf(viewer, orderId));
  if (!order) return "not found";
  if (order.status === "cancelled" || order.stage !== "received") return "not received";
  if (order.reply !== null) return "replied to";
  if (order.createdAt === null || order.createdAt <= earliestEditable(now)) return "too late";
  // Of the same review sent twice at once, the second changes nothing.
  return order.stars === stars ? "saved" : "stars are final";
}

/** "not found" if the viewer is neither buyer nor seller of such an order. */
export type ReplyOutcome = "saved" | "nothing to reply to" | "not found";

/** Stores the seller's reply to the buyer's published review, once. The same reply sent again is saved once. */
export async function replyToReview(
  db: Db,
  viewer: Viewer,
  orderId: string,
  reply: string,
  now = new Date(),
): Promise<ReplyOutcome> {
  const about = and(
    eq(reviews.orderId, orderId),
    eq(reviews.subjectId, viewer.id),
    eq(reviews.authorRole, "buyer"),
    lte(reviews.publishedAt, now),
  );
  const [replied, same, orders] = await db.batch([
    db
      .update(reviews)
      .set({ reply, repliedAt: now })
      .where(and(about, isNull(reviews.reply), isNull(reviews.hiddenById)))
      .returning({ id: reviews.id }),
    db
      .select({ id: reviews.id })
      .from(reviews)
      .where(and(about, eq(reviews.reply, reply))),
    db
      .select({ id: bookings.id })
      .from(bookings)
      .innerJoin(phones, eq(phones.id, bookings.phoneId))
      .where(isOrderOf(viewer, orderId)),
    notifyOfReply(db, and(about, eq(reviews.repliedAt, now))),
  ]);
  if (replied.length > 0 || same.length > 0) return "saved";
  return orders.length > 0 ? "nothing to reply to" : "not found";
}
