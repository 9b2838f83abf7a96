import { and, count, eq, gt, isNull, lte, ne, or, type SQLWrapper, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { bookings, orderSteps, phones, reviews, users } from "#app/db/schema.ts";
import type { ReviewRole } from "#app/db/values.ts";
import type { Viewer } from "../accounts/viewer.ts";
import {
  earliestEditable,
  earliestReceipt,
  editDeadline,
  publicationDate,
  type Rating,
  reviewDeadline,
  reviewerName,
} from "./review.rules.ts";
import type { NewReview } from "./review.schema.ts";

/** "not found" if the viewer is neither buyer nor seller of such an order. */
export type ReviewOutcome = "saved" | "too late" | "replied to" | "not received" | "not found";

/**
 * Stores the viewer's review of the other side of an order, or changes it. When both sides have reviewed the order,
 * both reviews are published. The same review sent again is saved once.
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
  ]);
  if (edited.length > 0 || inserted.length > 0) return "saved";
  return findOutcome(db, viewer, orderId, now);
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

async function findOutcome(db: Db, viewer: Viewer, orderId: string, now: Date): Promise<ReviewOutcome> {
  const [order] = await db
    .select({
      stage: bookings.stage,
      status: bookings.status,
      createdAt: reviews.createdAt,
      reply: reviews.reply,
    })
    .from(bookings)
    .innerJoin(phones, eq(phones.id, bookings.phoneId))
    .leftJoin(reviews, and(eq(reviews.orderId, bookings.id), eq(reviews.authorId, viewer.id)))
    .where(isOrderOf(viewer, orderId));
  if (!order) return "not found";
  if (order.status === "cancelled" || order.stage !== "received") return "not received";
  if (order.reply !== null) return "replied to";
  // Of the same review sent twice at once, the second changes nothing.
  const isEditable = order.createdAt !== null && order.createdAt > earliestEditable(now);
  return isEditable ? "saved" : "too late";
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
      .where(and(about, isNull(reviews.reply)))
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
  ]);
  if (replied.length > 0 || same.length > 0) return "saved";
  return orders.length > 0 ? "nothing to reply to" : "not found";
}

/** Selects the rating of a seller by buyers, as a column. */
export function ratingColumn(sellerId: SQLWrapper, now = new Date()) {
  return sql<Rating>`(select json_object('average', coalesce(avg(${reviews.stars}), 0), 'count', count(*)) from ${reviews}
    where ${isPublished(sellerId, "buyer", now)})`.mapWith((text: string) => JSON.parse(text) as Rating);
}

/** Counts the published reviews of an account by their stars, 5 first. */
export async function countStars(db: Db, subjectId: string, authorRole: ReviewRole, now = new Date()) {
  const counts = await db
    .select({ stars: reviews.stars, count: count() })
    .from(reviews)
    .where(isPublished(subjectId, authorRole, now))
    .groupBy(reviews.stars);
  return [5, 4, 3, 2, 1].map((stars) => counts.find((row) => row.stars === stars) ?? { stars, count: 0 });
}

const reviewsPageSize = 10;

/** A review by a buyer, as strangers see it. */
export type SellerReview = Awaited<ReturnType<typeof selectReviews>>[number];

/** A page of the published reviews of a seller, newest first. */
export async function listReviews(db: Db, sellerId: string, cursor: Cursor, now = new Date()) {
  // One more than a page, to know whether there is another page.
  const rows = await selectReviews(db, sellerId, cursor, reviewsPageSize + 1, now);
  return keysetPage(rows, cursor, reviewsPageSize, (row) => row.id);
}

/** Selects published reviews of a seller, newest first. */
export async function selectReviews(
  db: Db,
  sellerId: string,
  cursor: Cursor,
  limit: number,
  now = new Date(),
) {
  const { afterCursor, orderBy } = keyset(reviews.id, cursor);
  const rows = await db
    .select({
      id: reviews.id,
      stars: reviews.stars,
      text: reviews.text,
      createdAt: reviews.createdAt,
      edited: sql<number>`${reviews.editedAt} is not null`.mapWith(Boolean),
      reply: reviews.reply,
      authorName: users.name,
    })
    .from(reviews)
    .leftJoin(users, and(eq(users.id, reviews.authorId), isNull(users.removalId)))
    .where(and(isPublished(sellerId, "buyer", now), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
  return rows.map(({ authorName, ...row }) => ({ ...row, author: reviewerName(authorName) }));
}

/** The reviews of a received order as one of its sides sees them, and what that side can do now. */
export type OrderReviews = NonNullable<Awaited<ReturnType<typeof findOrderReviews>>>;

/** Finds the reviews of an order for its buyer or seller; null for others and before the phone was received. */
export async function findOrderReviews(db: Db, viewer: Viewer, orderId: string, now = new Date()) {
  const [[order], rows] = await db.batch([
    db
      .select({ buyerId: bookings.buyerId, receivedAt: orderSteps.createdAt })
      .from(bookings)
      .innerJoin(phones, eq(phones.id, bookings.phoneId))
      .innerJoin(orderSteps, and(eq(orderSteps.orderId, bookings.id), eq(orderSteps.kind, "received")))
      .where(isOrderOf(viewer, orderId)),
    db
      .select()
      .from(reviews)
      .where(
        and(
          eq(reviews.orderId, orderId),
          or(
            eq(reviews.authorId, viewer.id),
            and(eq(reviews.subjectId, viewer.id), lte(reviews.publishedAt, now)),
          ),
        ),
      ),
  ]);
  if (!order) return null;
  const own = rows.find((review) => review.authorId === viewer.id) ?? null;
  const other = rows.find((review) => review.authorId !== viewer.id) ?? null;
  const role: ReviewRole = viewer.id === order.buyerId ? "buyer" : "seller";
  const deadline = own ? editDeadline(own.createdAt) : reviewDeadline(order.receivedAt);
  return {
    role,
    own: own && { ...toShownReview(own), isPublished: own.publishedAt <= now },
    other: other && toShownReview(other),
    /** Until when the viewer can write or edit their review; null if it is too late. */
    writableUntil: deadline > now && !own?.reply ? deadline : null,
    canReply: role === "seller" && other !== null && other.reply === null,
  };
}

function toShownReview({ stars, text, createdAt, editedAt, reply }: typeof reviews.$inferSelect) {
  return { stars, text, createdAt, edited: editedAt !== null, reply };
}

function isOrderOf(viewer: Viewer, orderId: string) {
  return and(eq(bookings.id, orderId), or(eq(bookings.buyerId, viewer.id), eq(phones.sellerId, viewer.id)));
}

function isPublished(subjectId: string | SQLWrapper, authorRole: ReviewRole, now: Date) {
  return and(
    eq(reviews.subjectId, subjectId),
    eq(reviews.authorRole, authorRole),
    lte(reviews.publishedAt, now),
  );
}
