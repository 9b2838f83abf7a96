import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { selectPhotos } from "../photos/photos.server.ts";
import { ratingColumn } from "../reviews/reviews.server.ts";
import { modelOfListing } from "./device-variants.server.ts";
import { fairPriceOfListing } from "./fair-price.server.ts";
import { isoMonth } from "./phone-dates.rules.ts";
import { detailColumns } from "./phones.server.ts";
import { priceHistory } from "./price-history.server.ts";

export type ListingPage = NonNullable<Awaited<ReturnType<typeof findListing>>>;

export type ListingDetails = ListingPage["listing"];

/** In one round trip. Sold listings are found, removed ones are not. */
export async function findListing(db: Db, id: string) {
  const [details, fair, [model]] = await Promise.all([
    findListingDetails(db, id),
    fairPriceOfListing(db, id),
    modelOfListing(db, id),
  ]);
  return details && { ...details, fair, model: model ?? null };
}

/** What the details dialog shows of a listing, in one round trip. */
export async function findListingDetails(db: Db, id: string) {
  const [[listing], photos, prices] = await Promise.all([
    db
      .select({
        ...detailColumns,
        sellerId: phones.sellerId,
        sellerSince: users.createdAt,
        sellerRating: ratingColumn(phones.sellerId).as("seller_rating"),
        sellerHasAccount: sql<boolean>`${users.removalId} is null`.mapWith(Boolean),
      })
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(and(eq(phones.id, id), isNull(phones.removalId))),
    selectPhotos(db, id),
    priceHistory(db, id),
  ]);
  return listing
    ? { listing: { ...listing, sellerSince: isoMonth(listing.sellerSince) }, photos, prices }
    : null;
}
