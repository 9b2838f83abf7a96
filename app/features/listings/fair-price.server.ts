import { and, desc, eq, gte, isNotNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { orders, phones, users, usualPrices } from "#app/db/schema.ts";
import { isProven } from "../accounts/accounts.server.ts";
import { listedSpellingOf, sizeKeyOf } from "./device-variants.server.ts";
import { countedSales, type FairPrice, fairPriceFromSales, maxComparedSales } from "./fair-price.rules.ts";
import { readSize } from "./size.rules.ts";

/** Condition on `orders`: the device was sold. A booking alone says nothing about prices, since any user can make one. */
export const isReceivedOrder = eq(orders.stage, sql`'received'`);

/** Sales that are read for a usual price. Not all of them count. */
const maxRead = 200;
/** Usual prices that one run of the job computes; the next run continues. */
const maxRefreshed = 200;

const soldListings = alias(phones, "sold_listings");
const buyers = alias(users, "buyers");
const sellers = alias(users, "sellers");

/** Selects the newest sales between proven accounts that meet a condition on `orders`. */
export function provenSales(db: Db, condition: SQL | undefined, limit: number) {
  return db
    .select({
      cents: orders.priceCents,
      soldAt: sql<number>`${orders.createdAt}`.as("sold_at"),
      buyerId: orders.buyerId,
      sellerId: soldListings.sellerId,
      rom: orders.rom,
      condition: soldListings.condition,
    })
    .from(orders)
    .innerJoin(soldListings, eq(soldListings.id, orders.phoneId))
    .innerJoin(buyers, and(eq(buyers.id, orders.buyerId), isProven(buyers)))
    .innerJoin(sellers, and(eq(sellers.id, soldListings.sellerId), isProven(sellers)))
    .where(and(condition, isReceivedOrder))
    .orderBy(desc(orders.id))
    .limit(limit);
}

/**
 * Computes the usual prices whose `changes` triggers have counted: of models and storages with a sale or a return, or
 * with a side that was confirmed or suspended.
 */
export async function refreshUsualPrices(db: Db, limit = maxRefreshed): Promise<void> {
  const changed = await db
    .select({ device: usualPrices.device, rom: usualPrices.rom, changes: usualPrices.changes })
    .from(usualPrices)
    .where(sql`${usualPrices.changes} > 0`)
    .limit(limit);
  for (const { device, rom, changes } of changed) {
    const isOfDevice = and(
      sql`lower(${orders.productName}) = ${device}`,
      sql`${sizeOf(orders.rom)} = ${rom}`,
    );
    const sales = countedSales(await provenSales(db, isOfDevice, maxRead), maxComparedSales);
    const { count, median, lowest, highest } = fairPriceFromSales(sales) ?? none;
    await db
      .update(usualPrices)
      .set({ changes: 0, sales: count, medianCents: median, lowestCents: lowest, highestCents: highest })
      // What changes during this run is left for the next.
      .where(and(eq(usualPrices.device, device), eq(usualPrices.rom, rom), eq(usualPrices.changes, changes)));
  }
}

/** Statement: let the job compute the usual prices of sold devices again. @param name of each order's device */
export function markUsualPricesChanged(db: Db, name: SQL, condition: SQL | undefined) {
  const changed = db
    .selectDistinct({ device: sql`lower(${name})`.as("device"), rom: sizeOf(orders.rom).as("rom") })
    .from(orders)
    .where(and(condition, isReceivedOrder));
  return db
    .insert(usualPrices)
    .select(sql`select device, rom, 1, 0, null, null, null from (${changed}) where true`)
    .onConflictDoUpdate({
      target: [usualPrices.device, usualPrices.rom],
      set: { changes: sql`${usualPrices.changes} + 1` },
    });
}

const none = { count: 0, median: null, lowest: null, highest: null };

const fairPriceColumns = {
  count: usualPrices.sales,
  median: sql<number>`${usualPrices.medianCents}`.as("median"),
  lowest: sql<number>`${usualPrices.lowestCents}`.as("lowest"),
  highest: sql<number>`${usualPrices.highestCents}`.as("highest"),
};

/**
 * The usual price of a model with some storage, in cents. Letter case is ignored; the storage is a size ("128GB"
 * equals "128 GB").
 *
 * @returns null if there are too few sales
 */
export async function fairPrice(db: Db, device: PricedDevice): Promise<FairPrice | null> {
  const [fair] = await selectFairPrice(db, device);
  return fair ?? null;
}

export interface PricedDevice {
  brandName: string;
  model: string;
  rom: string;
}

/** Selects what `fairPrice` returns; no row if there are too few sales. */
export function selectFairPrice(db: Db, { brandName, model, rom }: PricedDevice) {
  const brand = brandName.trim();
  const name = sql`coalesce(${listedSpellingOf(brand)}, ${brand}) || ' ' || ${model.trim()}`;
  return db
    .select(fairPriceColumns)
    .from(usualPrices)
    .where(and(isOf(name, sql`${readSize(rom, "rom") ?? rom}`), isKnown));
}

/** The usual price of the model and storage of a listing; no row if it is not known. */
export function fairPriceOfListing(db: Db, phoneId: string) {
  return db
    .select(fairPriceColumns)
    .from(phones)
    .innerJoin(usualPrices, and(isOfListing, isKnown))
    .where(eq(phones.id, phoneId));
}

/** The usual price of a listing in cents, or null, as a column of a query on phones. */
export function usualPriceColumn(db: Db, { minSales = 0 } = {}) {
  const median = db
    .select({ cents: usualPrices.medianCents })
    .from(usualPrices)
    .where(and(isOfListing, gte(usualPrices.sales, minSales)));
  return sql<number | null>`(${median})`.as("usual_cents");
}

const isKnown = isNotNull(usualPrices.medianCents);

/**
 * Whether a storage of a model has a usual price: then its page of prices is in the sitemap and indexed.
 *
 * @param isOfModel on `device_variants as spelled`
 */
export function hasUsualPrice(db: Db, isOfModel: SQL) {
  const names = sql`(select lower(brand || ' ' || model) from device_variants as spelled where ${isOfModel})`;
  return hasRow(db, usualPrices, and(sql`${usualPrices.device} in ${names}`, isKnown));
}

/** The device as orders name it. */
function isOf(name: SQL, rom: SQL) {
  return and(eq(usualPrices.device, sql`lower(${name})`), eq(usualPrices.rom, sizeOf(rom)));
}

/** A storage as the triggers of migrations/0008_spell_brands_once.sql write it. */
function sizeOf(rom: SQLWrapper) {
  return sql`cast(${sizeKeyOf(rom)} as text)`;
}

const isOfListing = isOf(sql`trim(${phones.brandName}) || ' ' || trim(${phones.model})`, sql`${phones.rom}`);
