import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, orders, phones, reviews } from "#app/db/schema.ts";
import type { DecisionKind } from "#app/db/values.ts";
import { hiddenByModerators } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { newest, shownRows } from "./newest-rows.server.ts";

/** The newest listings, orders and reviews of an account. */
export async function findTrade(db: Db, userId: string) {
  const isOwnListing = and(eq(phones.sellerId, userId), or(isNull(phones.removalId), hiddenByModerators(db)));
  const isSold = inArray(
    orders.phoneId,
    db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, userId)),
  );
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
        .leftJoin(decisions, eq(decisions.id, phones.removalId))
        .where(isOwnListing)
        .orderBy(desc(phones.id))
        .limit(shownRows),
    ),
    ordersOf(db, eq(orders.buyerId, userId)),
    ordersOf(db, isSold),
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

function ordersOf(db: Db, condition: SQL) {
  return newest(
    db,
    orders,
    condition,
    db
      .select({
        id: orders.id,
        name: orders.productName,
        priceCents: orders.priceCents,
        status: orders.status,
        stage: orders.stage,
        createdAt: orders.createdAt,
      })
      .from(orders)
      .where(condition)
      .orderBy(desc(orders.id))
      .limit(shownRows),
  );
}
