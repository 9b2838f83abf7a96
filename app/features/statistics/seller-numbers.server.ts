import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { numberedPage } from "#app/db/keyset.server.ts";
import { conversations, listingViews, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { comparisonKey, deviceName } from "../listings/device-variant.rules.ts";
import { fairPrice } from "../listings/fair-price.server.ts";
import { saversColumn } from "../saved-listings/saved-listings.server.ts";

/** A listing with its numbers; prices in cents. */
export type ListingNumbers = Awaited<ReturnType<typeof listSellerNumbers>>["rows"][number];

/** A page of the viewer's own listings with their numbers, newest first; takes two round trips. */
export async function listSellerNumbers(db: Db, viewer: Viewer, cursor: Cursor) {
  const { rows, ...page } = await numberedPage(db, cursor, {
    table: phones,
    where: isOwn(viewer),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({
          id: phones.id,
          brandName: phones.brandName,
          model: phones.model,
          rom: phones.rom,
          status: phones.status,
          sellingCents: phones.sellingCents,
          views: sql<number>`coalesce(${listingViews.views}, 0)`.as("view_count"),
          savers: saversColumn(phones.id).as("savers"),
          asked: sql<number>`(${conversationsOf(db)})`.as("asked"),
          sortValue,
        })
        .from(phones)
        .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
  const usual = await usualPrices(db, rows);
  return { ...page, rows: rows.map((row) => ({ ...row, usualCents: usual.get(keyOf(row)) ?? null })) };
}

/** What the viewer's own listings come to. */
export async function sumUpListings(db: Db, viewer: Viewer) {
  const sold = sql`${phones.status} = 'sold'`;
  const [sums] = await db
    .select({
      listings: count(),
      views: sql<number>`coalesce(sum(${listingViews.views}), 0)`,
      sold: sql<number>`count(*) filter (where ${sold})`,
      soldCents: sql<number>`coalesce(sum(${phones.sellingCents}) filter (where ${sold}), 0)`,
    })
    .from(phones)
    .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
    .where(isOwn(viewer));
  return sums ?? { listings: 0, views: 0, sold: 0, soldCents: 0 };
}

function isOwn(viewer: Viewer) {
  return and(eq(phones.sellerId, viewer.id), isNull(phones.removalId));
}

function conversationsOf(db: Db) {
  return db.select({ count: count() }).from(conversations).where(eq(conversations.phoneId, phones.id));
}

type Model = Pick<typeof phones.$inferSelect, "brandName" | "model" | "rom">;

/** The median prices of the models and storages of some listings. */
async function usualPrices(db: Db, listings: Model[]): Promise<Map<string, number | undefined>> {
  const models = new Map(listings.map((listing) => [keyOf(listing), listing]));
  const prices = [...models].map(
    async ([key, model]) => [key, (await fairPrice(db, model))?.median] as const,
  );
  return new Map(await Promise.all(prices));
}

function keyOf(listing: Model): string {
  return `${deviceName(listing).toLowerCase()} ${comparisonKey(listing.rom)}`;
}
