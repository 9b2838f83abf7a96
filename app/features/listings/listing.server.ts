import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { selectPhotos } from "../photos/photos.server.ts";
import { ratingColumn } from "../reviews/reviews.server.ts";
import { modelOfListing } from "./device-variants.server.ts";
import { fairPriceFromSales } from "./fair-price.rules.ts";
import { salesOfListing } from "./fair-price.server.ts";
import { isoMonth } from "./phone-dates.rules.ts";
import { detailColumns } from "./phones.server.ts";
import { priceChangesOf, priceHistory } from "./price-history.server.ts";

export type ListingPage = NonNullable<Awaited<ReturnType<typeof findListing>>>;

export type ListingDetails = ListingPage["listing"];

/** In one round trip. Sold listings are found, removed ones are not. */
export async function findListing(db: Db, id: string) {
  const [listings, photos, changes, sales, [model]] = await db.batch([
    ...detailQueries(db, id),
    salesOfListing(db, id),
    modelOfListing(db, id),
  ]);
  const details = detailsOf(listings, photos, changes);
  return (
    details && { ...details, fair: fairPriceFromSales(sales.map(({ cents }) => cents)), model: model ?? null }
  );
}

/** What the details dialog shows of a listing, in one round trip. */
export async function findListingDetails(db: Db, id: string) {
  return detailsOf(...(await db.batch(detailQueries(db, id))));
}

type DetailRows = BatchResponse<ReturnType<typeof detailQueries>>;

function detailsOf(...[[listing], photos, changes]: DetailRows) {
  if (!listing) return null;
  const { publishedAt, ...shown } = listing;
  return {
    listing: { ...shown, sellerSince: isoMonth(listing.sellerSince) },
    photos,
    prices: priceHistory(changes, publishedAt),
  };
}

function detailQueries(db: Db, id: string) {
  return [
    db
      .select({
        ...detailColumns,
        sellerId: phones.sellerId,
        publishedAt: phones.createdAt,
        sellerSince: sql`${users.createdAt}`.mapWith(users.createdAt).as("seller_since"),
        sellerRating: ratingColumn(phones.sellerId).as("seller_rating"),
        sellerHasAccount: sql<boolean>`${users.removalId} is null`.mapWith(Boolean),
      })
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(and(eq(phones.id, id), isNull(phones.removalId))),
    selectPhotos(db, id),
    priceChangesOf(db, id),
  ] as const;
}
