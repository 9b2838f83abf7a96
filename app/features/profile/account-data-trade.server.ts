import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  listingViews,
  orderSteps,
  orders,
  phones,
  priceChanges,
  savedListings,
  savedSearches,
} from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { attributeColumns } from "../listings/phones.server.ts";
import { parseSavedSearch } from "../saved-searches/saved-search.rules.ts";

/** Includes removed listings that are still stored. */
export function listingsOf(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(phones.id, cursor);
  return db
    .select({
      id: phones.id,
      ...attributeColumns,
      image: phones.image,
      sellingReason: phones.sellingReason,
      marketPrice: phones.marketCents,
      sellingPrice: phones.sellingCents,
      postDate: phones.postDate,
      status: phones.status,
      imeiKept: sql<number>`${phones.imeiHash} is not null`.mapWith(Boolean),
      deleted: sql<number>`${phones.removalId} is not null`.mapWith(Boolean),
      createdAt: phones.createdAt,
      views: sql<number>`coalesce(${listingViews.views}, 0)`.as("view_count"),
    })
    .from(phones)
    .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
    .where(and(eq(phones.sellerId, id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

export function priceChangesOf(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(priceChanges.id, cursor);
  const own = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, id));
  return db
    .select({
      id: priceChanges.id,
      listingId: priceChanges.phoneId,
      oldPrice: priceChanges.oldCents,
      newPrice: priceChanges.newCents,
      createdAt: priceChanges.createdAt,
    })
    .from(priceChanges)
    .where(and(inArray(priceChanges.phoneId, own), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** Includes cancelled orders. */
export function ordersOf(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(orders.id, cursor);
  return db
    .select({
      id: orders.id,
      productName: orders.productName,
      ram: orders.ram,
      rom: orders.rom,
      price: orders.priceCents,
      buyerName: orders.buyerName,
      buyerAddress: orders.buyerAddress,
      email: orders.email,
      phone: orders.phone,
      status: orders.status,
      stage: orders.stage,
      parcelService: orders.parcelService,
      trackingNumber: orders.trackingNumber,
      createdAt: orders.createdAt,
    })
    .from(orders)
    .where(and(eq(orders.buyerId, id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** All steps of orders that the user placed, and their own steps in other orders. */
export function stepsOf(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(orderSteps.id, cursor);
  const placed = db.select({ id: orders.id }).from(orders).where(eq(orders.buyerId, id));
  return db
    .select({
      id: orderSteps.id,
      orderId: orderSteps.orderId,
      kind: orderSteps.kind,
      byYou: sql<number>`${orderSteps.actorId} = ${id}`.mapWith(Boolean),
      createdAt: orderSteps.createdAt,
    })
    .from(orderSteps)
    .where(and(or(eq(orderSteps.actorId, id), inArray(orderSteps.orderId, placed)), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** With the prices when they were saved. */
export function savedListingsOf(db: Db, { id }: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(savedListings.id, cursor);
  return db
    .select({
      id: savedListings.id,
      listingId: savedListings.phoneId,
      price: savedListings.priceCents,
      createdAt: savedListings.createdAt,
    })
    .from(savedListings)
    .where(and(eq(savedListings.userId, id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

export async function savedSearchesOf(db: Db, { id }: Viewer) {
  const { name, category, query, frequency, createdAt, userId } = savedSearches;
  const rows = await db
    .select({ name, category, query, frequency, createdAt })
    .from(savedSearches)
    .where(eq(userId, id))
    .orderBy(desc(savedSearches.id));
  return rows.map((row) => ({
    name: row.name,
    search: parseSavedSearch(row).path,
    frequency: row.frequency,
    createdAt: row.createdAt,
  }));
}
