import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { monthOf } from "./phone-dates.rules.ts";
import { detailColumns } from "./phones.server.ts";
import { similarTo } from "./similar.server.ts";

/** A listing as its page shows it; prices in cents. */
export type ShownListing = NonNullable<Awaited<ReturnType<typeof findListing>>>["listing"];

/**
 * A listing with everything its page says, and up to four phones like it. A sold one is still found; a removed one is
 * not. Both are asked for side by side, so that they share a round trip to the database.
 *
 * @returns null when there is no such listing
 */
export async function findListing(db: Db, id: string) {
  const [[listing], similar] = await Promise.all([
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
    similarTo(db, id),
  ]);
  if (!listing) return null;
  return { listing: { ...listing, sellerSince: monthOf(listing.sellerSince) }, similar };
}
