import {
  and,
  count,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import type { OrderSide } from "#app/db/enums.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { orderProblems, orders, phones, reviews, users } from "#app/db/schema.ts";
import { reviewDays } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";
import { isProven } from "../accounts/accounts.server.ts";
import { publicName, type Viewer } from "../accounts/viewer.ts";
import { reviewableSince, windowEnd } from "../audit/order-windows.server.ts";
import { onePerPairDays, publicationDate, type Rating } from "./review.rules.ts";

/** Under another name, since a query on accounts selects ratings, too. */
const authors = alias(users, "authors");

/** Selects the rating of a seller by buyers, as a column. */
export function ratingColumn(sellerId: SQLWrapper) {
  return sql<Rating>`(select json_object('average', coalesce(avg(stars), 0), 'count', count(*))
    from ${countedReviews(isPublished(sellerId, "buyer", new Date()))})`.mapWith(
    (text: string) => JSON.parse(text) as Rating,
  );
}

/** Selects the ratings of several sellers by buyers; those without reviews are missing. */
export function ratingsOf(db: Db, sellerIds: SQL, now = new Date()) {
  return db
    .select({
      sellerId: sql<string>`subject_id`.as("seller_id"),
      average: sql<number>`avg(stars)`.as("average"),
      count: count().as("review_count"),
    })
    .from(
      countedReviews(
        and(
          inArray(reviews.subjectId, sellerIds),
          eq(reviews.authorRole, "buyer"),
          lte(reviews.publishedAt, now),
          isNull(reviews.hiddenById),
        ),
      ),
    )
    .groupBy(sql`subject_id`);
}

/** Counts the reviews that make up the rating of an account by their stars, 5 first. */
export async function countStars(db: Db, subjectId: string, authorRole: OrderSide, now = new Date()) {
  const counts = await db
    .select({ stars: sql<number>`stars`.as("stars"), count: count() })
    .from(countedReviews(isPublished(subjectId, authorRole, now)))
    .groupBy(sql`stars`);
  return [5, 4, 3, 2, 1].map((stars) => counts.find((row) => row.stars === stars) ?? { stars, count: 0 });
}

/**
 * The published reviews that count in a rating, as a subquery: those by proven accounts, and of one person's of another
 * within `onePerPairDays` only the latest, so that two accounts cannot raise each other's ratings order by order.
 */
function countedReviews(published: SQL | undefined) {
  const next = sql`lead(${reviews.publishedAt}) over (
    partition by ${reviews.subjectId}, ${reviews.authorId} order by ${reviews.publishedAt})`;
  return sql`(select subject_id, stars from (
    select ${reviews.subjectId}, ${reviews.stars}, ${next} - ${reviews.publishedAt} as pause from ${reviews}
    inner join ${users} as authors on ${authors.id} = ${reviews.authorId} where ${and(published, isProven(authors))}) where pause is null or pause >= ${onePerPairDays * dayMs})`;
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
      edited: isNotNull(reviews.editedAt).mapWith(Boolean).as("edited"),
      reply: reviews.reply,
      authorName: users.name,
    })
    .from(reviews)
    .leftJoin(users, and(eq(users.id, reviews.authorId), isNull(users.removalId)))
    .where(and(isPublished(sellerId, "buyer", now), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
  return rows.map(({ authorName, ...row }) => ({ ...row, author: publicName(authorName) }));
}

/** Until when both sides of `orders` can write a review, in milliseconds; null before the receipt. */
export const reviewableUntil = (now?: Date) =>
  windowEnd(orders.id, reviewableSince, reviewDays.writable, now);

/** Until when the author of `reviews` can change it, in milliseconds. */
const editableUntil = (now: Date) => windowEnd(reviews.orderId, reviews.createdAt, reviewDays.editable, now);

/** The reviews of an order as one of its sides sees them, and what that side can do now. */
export type OrderReviews = NonNullable<Awaited<ReturnType<typeof findOrderReviews>>>;

/** Finds the reviews of an order for its buyer or seller; null for others and before it can be reviewed. */
export async function findOrderReviews(db: Db, viewer: Viewer, orderId: string, now = new Date()) {
  const refusals = Object.entries(writingConditions(db, viewer, orderId, now)).map(
    ([refusal, condition]) => sql`when not ${condition} then ${refusal}`,
  );
  const refusal = sql<WritingRefusal | null>`case ${sql.join(refusals, sql` `)} end`.as("refusal");
  const [[order], rows] = await db.batch([
    db
      .select({
        buyerId: orders.buyerId,
        lastDay: sql`${reviewableUntil(now)}`.mapWith(reviews.createdAt).as("reviewable_until"),
        refusal,
      })
      .from(orders)
      .innerJoin(phones, eq(phones.id, orders.phoneId))
      .where(and(isOwnOrder(viewer, orderId), isNotNull(reviewableSince))),
    db
      .select({
        ...getTableColumns(reviews),
        editableUntil: sql`${editableUntil(now)}`.mapWith(reviews.createdAt).as("editable_until"),
      })
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
  const role: OrderSide = viewer.id === order.buyerId ? "buyer" : "seller";
  const { lastDay, refusal: whyNot } = order;
  const deadline = own?.editableUntil ?? lastDay;
  return {
    role,
    own: own && { ...toShownReview(own), isPublished: own.publishedAt <= now },
    other: other && withoutHiddenTexts(toShownReview(other)),
    /** Why the viewer cannot write or edit their review; null if they can. */
    refusal: whyNot,
    /** Until when the viewer can write or edit their review; null if they cannot. */
    writableUntil: whyNot ? null : deadline,
    /** Until when both sides can write one; null if they cannot. */
    reviewableUntil: lastDay > now ? lastDay : null,
    /** Whether one that the other side has written can still become visible. */
    otherMayCome: publicationDate(lastDay) > now,
    canReply: role === "seller" && other !== null && other.reply === null && other.hiddenById === null,
  };
}

function toShownReview(review: typeof reviews.$inferSelect) {
  const { id, stars, text, createdAt, editedAt, reply, hiddenById } = review;
  return { id, stars, text, createdAt, edited: editedAt !== null, reply, hidden: hiddenById !== null };
}

/** The author still sees their own words. */
function withoutHiddenTexts<Review extends { text: string; reply: string | null; hidden: boolean }>(
  review: Review,
): Review {
  return review.hidden ? { ...review, text: "", reply: null } : review;
}

export type WritingRefusal = "problem open" | "order ended" | "not received" | "replied to" | "too late";

const endedEarly = and(eq(orders.status, "cancelled"), eq(orders.stage, "reserved"));

/** What must hold before the viewer can write or change their review of an order, by the refusal if it does not. */
export function writingConditions(
  db: Db,
  viewer: Viewer,
  orderId: string,
  now: Date,
): Record<WritingRefusal, SQL> {
  const own = and(eq(reviews.orderId, orderId), eq(reviews.authorId, viewer.id));
  const hasOwn = hasRow(db, reviews, own);
  const hasOrder = (condition: SQL) => hasRow(db, orders, and(eq(orders.id, orderId), condition));
  const openProblem = and(eq(orderProblems.orderId, orderId), isNull(orderProblems.endedAt));
  const isEditable = hasRow(db, reviews, and(own, gt(editableUntil(now), now.getTime())));
  return {
    "problem open": not(hasRow(db, orderProblems, openProblem)),
    "order ended": sql`(${hasOwn} or ${hasOrder(sql`not ${endedEarly}`)})`,
    "not received": sql`(${hasOwn} or ${hasOrder(isNotNull(reviewableSince))})`,
    // The reply must not stand below another text.
    "replied to": not(hasRow(db, reviews, and(own, isNotNull(reviews.reply)))),
    "too late": sql`iif(${hasOwn}, ${isEditable}, ${hasOrder(gt(reviewableUntil(now), now.getTime()))})`,
  };
}

/** Condition on `orders` joined with `phones`: an order in which the viewer is the buyer or the seller. */
export function isOwnOrder(viewer: Viewer, orderId: string) {
  return and(eq(orders.id, orderId), or(eq(orders.buyerId, viewer.id), eq(phones.sellerId, viewer.id)));
}

/** Condition on `reviews`: everyone can see it, and it counts. */
function isPublished(subjectId: string | SQLWrapper, authorRole: OrderSide, now: Date) {
  return and(
    eq(reviews.subjectId, subjectId),
    eq(reviews.authorRole, authorRole),
    lte(reviews.publishedAt, now),
    isNull(reviews.hiddenById),
  );
}
