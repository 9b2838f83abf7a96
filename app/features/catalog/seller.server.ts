import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { isoMonth } from "#app/time.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { tileColumns } from "../listings/listings.server.ts";
import { countStars, listReviews, ratingColumn, selectReviews } from "../reviews/reviews.server.ts";
import { sellerRecordColumn } from "../reviews/seller-record.server.ts";
import { pageSize } from "./search/search.server.ts";

/** The newest reviews on a seller's page. */
const shownReviews = 3;

/** Takes one round trip; null for a removed account, and for a buyer without listings. */
export async function findSeller(db: Db, id: string, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(phones.id, cursor);
  const isTheirs = isOfSeller(id);
  const [[seller], rows, distribution, reviews] = await Promise.all([
    db
      .select({
        id: users.id,
        name: users.name,
        sellerVerified: users.verified,
        since: users.createdAt,
        shopText: users.shopText,
        returnDays: sql<number | null>`(select days from promised_return_days
          where promised_return_days.seller_id = ${users.id})`.as("promised_days"),
        rating: ratingColumn(users.id).as("rating"),
        record: sellerRecordColumn().as("record"),
      })
      .from(users)
      .where(hasSellerPage(db, id)),
    db
      .select({ ...tileColumns, usualCents: usualPriceColumn(db) })
      .from(phones)
      .where(and(isTheirs, inArray(phones.status, ["available", "reserved"]), afterCursor))
      .orderBy(orderBy)
      // One more than a page, to know whether there is a next page.
      .limit(pageSize + 1),
    countStars(db, id, "buyer"),
    selectReviews(db, id, null, shownReviews),
  ]);
  if (!seller) return null;
  const { rows: page, ...cursors } = keysetPage(rows, cursor, pageSize, (phone) => phone.id);
  return {
    seller: { ...seller, since: isoMonth(seller.since) },
    phones: page,
    distribution,
    reviews,
    ...cursors,
  };
}

/** A page of the reviews of a seller with the rating, in one round trip; null without a seller page. */
export async function findSellerReviews(db: Db, id: string, cursor: Cursor) {
  const [[seller], distribution, { rows, ...cursors }] = await Promise.all([
    db
      .select({ id: users.id, name: users.name, rating: ratingColumn(users.id).as("rating") })
      .from(users)
      .where(hasSellerPage(db, id)),
    countStars(db, id, "buyer"),
    listReviews(db, id, cursor),
  ]);
  return seller ? { seller, distribution, reviews: rows, ...cursors } : null;
}

function isOfSeller(id: string) {
  return and(eq(phones.sellerId, id), isNull(phones.hiddenById));
}

export async function sellerExists(db: Db, id: string): Promise<boolean> {
  return (await db.$count(users, hasSellerPage(db, id))) > 0;
}

/** Condition on `users`: sellers, and buyers who have published a listing. */
export function hasSellerPage(db: Db, id: string) {
  const hasPublished = hasRow(db, phones, isOfSeller(id));
  return and(eq(users.id, id), isNull(users.removalId), or(eq(users.userType, "Seller"), hasPublished));
}
