import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { dataRevisions, phones, users } from "#app/db/schema.ts";
import { minSalesOnHome } from "../listings/fair-price.rules.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { listingColumns, tileColumns } from "../listings/listings.server.ts";
import type { Category, CategoryFilter } from "./category.rules.ts";

const feedLength = 50;
const shownOnHome = 4;

/** Of so many that are new, those with photos of their seller come first on Home. */
const newOnHome = 16;

/** Finds the newest listings of a category for its feed. */
export function newestListed(db: Db, { key }: Pick<Category, "key">) {
  return db
    .select({
      id: phones.id,
      brandName: phones.brandName,
      model: phones.model,
      ram: phones.ram,
      rom: phones.rom,
      marketCents: phones.marketCents,
      sellingCents: phones.sellingCents,
      sellingReason: phones.sellingReason,
      createdAt: phones.createdAt,
    })
    .from(phones)
    .where(and(sql`listed`, key === "products" ? undefined : eq(phones.category, key)))
    .orderBy(desc(phones.number))
    .limit(feedLength);
}

export type FeedTileData = Awaited<ReturnType<typeof newestListed>>[number];

/** Finds the newest listings that can be bought, those with photos of their seller first. */
export function newestAvailable(db: Db) {
  const newest = db
    .select({ number: phones.number, hasPhotos: isNotNull(phones.cover).as("has_photos") })
    .from(phones)
    .where(and(sql`listed`, eq(phones.status, "available")))
    .orderBy(desc(phones.number))
    .limit(newOnHome)
    .as("newest");
  const shown = db
    .select({ number: newest.number })
    .from(newest)
    .orderBy(desc(newest.hasPhotos), desc(newest.number))
    .limit(shownOnHome);
  return db
    .select({ ...tileColumns, usualCents: usualPriceColumn(db, { minSales: minSalesOnHome }) })
    .from(phones)
    .where(inArray(phones.number, shown))
    .orderBy(desc(isNotNull(phones.cover)), desc(phones.number));
}

/** A listing as the REST API returns it; prices in cents. */
export type ListingRecord = Awaited<ReturnType<typeof selectListings>>[number];

/** Selects listed phones, newest first. */
export function selectListings(db: Db, filter: CategoryFilter, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(phones.id, cursor);
  return db
    .select(listingColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(isListed(filter), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** The revision of the catalog: changes whenever a public list may have changed. */
export async function catalogRevision(db: Db): Promise<string> {
  const [row] = await db
    .select({ revision: dataRevisions.revision })
    .from(dataRevisions)
    .where(eq(dataRevisions.name, "phones"));
  return row?.revision ?? "empty";
}

/** The condition for phones that lists show: neither sold nor removed. */
export function isListed(filter: CategoryFilter) {
  return and(
    inArray(phones.status, ["available", "reserved"]),
    isNull(phones.hiddenById),
    filter.os && eq(phones.os, filter.os),
    filter.deviceType && eq(phones.deviceType, filter.deviceType),
  );
}
