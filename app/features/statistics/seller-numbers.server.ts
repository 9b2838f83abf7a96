import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { numberedPage } from "#app/db/keyset.server.ts";
import { conversations, listingViews, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { saversColumn } from "../saved-listings/saved-listings.server.ts";

/** A page of the viewer's own listings with their numbers, newest first. */
export function listSellerNumbers(db: Db, viewer: Viewer, cursor: Cursor) {
  return numberedPage(db, cursor, {
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
          usualCents: usualPriceColumn(db),
          sortValue,
        })
        .from(phones)
        .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
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
  return and(eq(phones.sellerId, viewer.id), isNull(phones.hiddenById));
}

function conversationsOf(db: Db) {
  return db.select({ count: count() }).from(conversations).where(eq(conversations.phoneId, phones.id));
}
