import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Db } from "#app/db/client.server.ts";
import { phones, priceChanges, users } from "#app/db/schema.ts";
import { hourMs, isoMonth } from "#app/time.ts";
import { selectPhotos } from "../photos/photos.server.ts";
import { ratingColumn } from "../reviews/reviews.server.ts";
import { sellerRecordColumn } from "../reviews/seller-record.server.ts";
import { modelOfListing } from "./device-variants.server.ts";
import { fairPriceOfListing } from "./fair-price.server.ts";
import { detailColumns, hasImeiColumn } from "./listings.server.ts";

export type ListingPageData = NonNullable<Awaited<ReturnType<typeof findListing>>>;

export type ListingDetails = ListingPageData["listing"];

/** In one round trip. Sold listings are found, removed ones are not. */
export async function findListing(db: Db, id: string) {
  const [[model], ...rows] = await db.batch([modelOfListing(db, id), ...detailQueries(db, id)]);
  const details = detailsOf(...rows);
  return details && { ...details, model: model ?? null };
}

/** What the details dialog shows of a listing, in one round trip. */
export async function findListingDetails(db: Db, id: string) {
  return detailsOf(...(await db.batch(detailQueries(db, id))));
}

type DetailRows = BatchResponse<ReturnType<typeof detailQueries>>;

function detailsOf(...[[listing], photos, changes, [fair]]: DetailRows) {
  if (!listing) return null;
  const { publishedAt, ...shown } = listing;
  return {
    listing: { ...shown, sellerSince: isoMonth(listing.sellerSince) },
    photos,
    prices: priceHistory(changes, publishedAt),
    fair: fair ?? null,
  };
}

function detailQueries(db: Db, id: string) {
  return [
    db
      .select({
        ...detailColumns,
        hasImei: hasImeiColumn,
        sellerId: phones.sellerId,
        publishedAt: phones.createdAt,
        sellerSince: sql`${users.createdAt}`.mapWith(users.createdAt).as("seller_since"),
        sellerRating: ratingColumn(phones.sellerId).as("seller_rating"),
        sellerRecord: sellerRecordColumn().as("seller_record"),
        sellerHasAccount: isNull(users.removalId).mapWith(Boolean),
      })
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(and(eq(phones.id, id), isNull(phones.hiddenById))),
    selectPhotos(db, id),
    priceChangesOf(db, id),
    fairPriceOfListing(db, id),
  ] as const;
}

export interface PriceSince {
  cents: number;
  since: Date;
}

const maxChanges = 20;

/** The last changes of a listing's price, newest first. */
function priceChangesOf(db: Db, phoneId: string) {
  return db
    .select({ old: priceChanges.oldCents, cents: priceChanges.newCents, since: priceChanges.createdAt })
    .from(priceChanges)
    .where(eq(priceChanges.phoneId, phoneId))
    .orderBy(desc(priceChanges.id))
    .limit(maxChanges);
}

/**
 * The asking prices of a listing, newest first, without those of less than an hour, which were probably mistyped; at most
 * one if the price has not changed.
 *
 * @param changes the last 20, so older prices may be missing
 */
function priceHistory(
  changes: { old: number; cents: number; since: Date }[],
  publishedAt: Date,
): PriceSince[] {
  const oldest = changes.at(-1);
  const prices = changes.map(({ cents, since }) => ({ cents, since }));
  if (oldest && changes.length < maxChanges) prices.push({ cents: oldest.old, since: publishedAt });
  return prices
    .filter(({ since }, at) => at === 0 || Number(prices[at - 1]?.since) - Number(since) >= hourMs)
    .filter(({ cents }, at, shown) => cents !== shown[at + 1]?.cents);
}
