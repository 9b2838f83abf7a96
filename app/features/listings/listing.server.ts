import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { selectPhotos } from "../photos/photos.server.ts";
import { modelOfListing } from "./device-variants.server.ts";
import { fairPriceOfListing } from "./fair-price.server.ts";
import { monthOf } from "./phone-dates.rules.ts";
import { detailColumns } from "./phones.server.ts";
import { priceHistory } from "./price-history.server.ts";

/** All that a listing's page shows; prices in cents. */
export type ListingPage = NonNullable<Awaited<ReturnType<typeof findListing>>>;

/** A listing as its page shows it; prices in cents. */
export type ShownListing = ListingPage["listing"];

/**
 * A listing with everything that its page says of it: its photos, what it was offered for, what its kind sells for,
 * and its model. A sold one is still found; a removed one is not. The reads run side by side and share a round trip.
 *
 * @returns null when there is no such listing
 */
export async function findListing(db: Db, id: string) {
  const [[listing], photos, prices, fair, [model]] = await Promise.all([
    db
      .select({
        ...detailColumns,
        sellerId: phones.sellerId,
        sellerSince: users.createdAt,
        /** Whether the seller still has an account here, and so a page. */
        sellerIsHere: sql<boolean>`${users.removalId} is null`.mapWith(Boolean),
      })
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(and(eq(phones.id, id), isNull(phones.removalId))),
    selectPhotos(db, id),
    priceHistory(db, id),
    fairPriceOfListing(db, id),
    modelOfListing(db, id),
  ]);
  if (!listing) return null;
  return {
    listing: { ...listing, sellerSince: monthOf(listing.sellerSince) },
    photos,
    prices,
    fair,
    model: model ?? null,
  };
}
