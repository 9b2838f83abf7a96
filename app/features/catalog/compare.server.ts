import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { detailColumns } from "../listings/listings.server.ts";
import { maxCompared } from "./compare.rules.ts";
import type { ComparedListing } from "./compare-rows.rules.ts";

const { sellingReason: _, postDate: __, ...properties } = detailColumns;

/** Loads at most four phones in the order of their ids: sold ones too, without removed and unknown ones. */
export async function findComparedListings(db: Db, ids: readonly string[]): Promise<ComparedListing[]> {
  const wanted = [...new Set(ids)].slice(0, maxCompared);
  if (wanted.length === 0) return [];
  const found = await db
    .select({
      ...properties,
      usualCents: usualPriceColumn(db),
      sellerId: phones.sellerId,
      sellerHasAccount: isNull(users.removalId).mapWith(Boolean),
    })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(inArray(phones.id, wanted), isNull(phones.hiddenById)));
  return found.sort((one, other) => wanted.indexOf(one.id) - wanted.indexOf(other.id));
}
