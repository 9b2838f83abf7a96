import {
  and,
  eq,
  exists,
  gt,
  gte,
  isNull,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import { type OrderSide, reviewRoles } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { orderProblems, orders, phones, reviews } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { publicationDate } from "./review.rules.ts";
import type { NewReview } from "./review.schema.ts";
import { notifyOfReply, notifyOfReview } from "./review-notifications.server.ts";
import { isOwnOrder, type WritingRefusal, writingConditions } from "./reviews.server.ts";

/** "not found" if the viewer is neither buyer nor seller of such an order. */
export type ReviewOutcome = "saved" | "stars are final" | "not found" | WritingRefusal;

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
  const ofOrder = eq(reviews.orderId, orderId);
  const own = and(ofOrder, eq(reviews.authorId, viewer.id));
  const isFinal = and(own, ne(reviews.stars, stars), lte(reviews.publishedAt, now));
  const refusal = await batchUnless<Exclude<ReviewOutcome, "saved">>(
    db,
    {
      "not found": exists(orderOf(db, viewer, orderId)),
      ...writingConditions(db, viewer, orderId, now),
      "stars are final": not(hasRow(db, reviews, isFinal)),
    },
    [
      db
        .insert(reviews)
        .select(newReview(db, viewer, orderId, { stars, text }, now))
        .onConflictDoUpdate({
          target: [reviews.orderId, reviews.authorRole],
          set: { stars, text, editedAt: now },
          setWhere: or(ne(reviews.stars, stars), ne(reviews.text, text)),
        }),
      db
        .update(reviews)
        .set({ publishedAt: now })
        .where(
          and(
            ofOrder,
            gt(reviews.publishedAt, now),
            sql`(select count(*) from ${reviews} as both where both.order_id = ${orderId}) = 2`,
          ),
        ),
      ...reviewRoles.map((authorRole) =>
        notifyOfReview(db, and(ofOrder, eq(reviews.authorRole, authorRole), eq(reviews.publishedAt, now))),
      ),
    ],
  );
  return refusal ?? "saved";
}

/** Later than any review is published: what follows is the time that a review on hold still stays hidden. */
const onHold = Date.UTC(9000, 0);

/** A statement: the reviews of an order that nobody else sees yet stay hidden while a problem is open. */
export function pauseReviews(db: Db, orderId: string | SQLWrapper, now: Date) {
  const isHidden = and(gt(reviews.publishedAt, now), lt(reviews.publishedAt, new Date(onHold)));
  return db
    .update(reviews)
    .set({ publishedAt: sql`${reviews.publishedAt} + ${onHold - now.getTime()}` })
    .where(and(eq(reviews.orderId, orderId), isHidden));
}

/** A statement: once no problem is open anymore, they stay hidden for as long as they had left. @param orderIds what `in` takes */
export function resumeReviews(db: Db, orderIds: SQL, now: Date) {
  const openProblem = and(eq(orderProblems.orderId, reviews.orderId), isNull(orderProblems.endedAt));
  return db
    .update(reviews)
    .set({ publishedAt: sql`${reviews.publishedAt} - ${onHold - now.getTime()}` })
    .where(
      and(
        sql`${reviews.orderId} in ${orderIds}`,
        gte(reviews.publishedAt, new Date(onHold)),
        not(hasRow(db, orderProblems, openProblem)),
      ),
    );
}

function orderOf(db: Db, viewer: Viewer, orderId: string) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(isOwnOrder(viewer, orderId));
}

/** Selects the row of a review from its order. */
function newReview(db: Db, viewer: Viewer, orderId: string, { stars, text }: NewReview, now: Date) {
  const isBuyer = eq(orders.buyerId, viewer.id);
  return db
    .select({
      id: valueFor(reviews.id, timeOrderedId()),
      orderId: orders.id,
      authorRole: sql<OrderSide>`iif(${isBuyer}, 'buyer', 'seller')`.as("author_role"),
      authorId: valueFor(reviews.authorId, viewer.id),
      subjectId: sql`iif(${isBuyer}, ${phones.sellerId}, ${orders.buyerId})`.as("subject_id"),
      stars: valueFor(reviews.stars, stars),
      text: valueFor(reviews.text, text),
      createdAt: valueFor(reviews.createdAt, now),
      editedAt: valueFor(reviews.editedAt, null),
      publishedAt: valueFor(reviews.publishedAt, publicationDate(now)),
      reply: valueFor(reviews.reply, null),
      repliedAt: valueFor(reviews.repliedAt, null),
      hiddenById: valueFor(reviews.hiddenById, null),
    })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(isOwnOrder(viewer, orderId));
}

/** "not found" if the viewer is neither buyer nor seller of such an order. */
export type ReplyOutcome = "saved" | "nothing to reply to" | "not found";

/** Stores the seller's reply to the buyer's published review, once. The same reply sent again is saved once. */
export async function replyToReview(
  db: Db,
  viewer: Viewer,
  orderId: string,
  reply: string,
): Promise<ReplyOutcome> {
  const now = new Date();
  const about = and(
    eq(reviews.orderId, orderId),
    eq(reviews.subjectId, viewer.id),
    eq(reviews.authorRole, "buyer"),
    lte(reviews.publishedAt, now),
  );
  const isSame = hasRow(db, reviews, and(about, eq(reviews.reply, reply)));
  const isOpen = and(about, isNull(reviews.reply), isNull(reviews.hiddenById));
  const refusal = await batchUnless(
    db,
    {
      "not found": exists(orderOf(db, viewer, orderId)),
      saved: not(isSame),
      "nothing to reply to": hasRow(db, reviews, isOpen),
    },
    [
      db.update(reviews).set({ reply, repliedAt: now }).where(about),
      notifyOfReply(db, and(about, eq(reviews.repliedAt, now))),
    ],
  );
  return refusal ?? "saved";
}
