import { and, eq, gt, inArray, not, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, startsWith } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { brands, deviceVariants, orders, phones, searchWords, unmatchedListings } from "#app/db/schema.ts";
import { countLabel } from "#app/market.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity } from "../audit/activity.server.ts";
import { brandKey, dictionaryWords, modelSlug, searchText } from "../listings/device-variant.rules.ts";
import { markUsualPricesChanged } from "../listings/fair-price.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";

/** A brand as lists show it, and what they show from now on. */
interface BrandMerging {
  from: string;
  to: string;
}

/** Finds the brands that a form names in any spelling; null if no listing has the first. */
export async function findBrandMerging(
  db: Db,
  { brand, spelling }: { brand: string; spelling: string },
): Promise<(BrandMerging & { listed: number }) | null> {
  const keys = [brandKey(brand), brandKey(spelling)];
  const known = await db
    .select()
    .from(brands)
    .where(or(inArray(brands.key, keys), inArray(brands.name, [brand, spelling])));
  // The migration to one spelling folded ASCII letters alone: "ÖKO" may be listed beside "Öko".
  const [from, other] = [brand, spelling].map(
    (name, at) =>
      known.find((row) => row.name === name)?.name ?? known.find((row) => row.key === keys[at])?.name,
  );
  if (!from) return null;
  const [counted] = await db
    .select({ listed: sql<number>`coalesce(sum(${deviceVariants.listed}), 0)` })
    .from(deviceVariants)
    .where(eq(deviceVariants.brand, from));
  return { from, to: other && other !== from ? other : spelling, listed: counted?.listed ?? 0 };
}

/** What the form asks before it merges, since nothing takes that back. */
export function mergingQuestion({ from, to, listed }: BrandMerging & { listed: number }): string {
  const devices = listed === 1 ? "1 device" : `${countLabel(listed)} devices`;
  return `This lists ${devices} of ${from} as ${to}, and there’s no undo. Press Merge again to go ahead.`;
}

/**
 * Spells a brand as another, in all its listings and in those to come. Links, filters and saved searches find it by each
 * spelling. Orders have the new one, too, so that its sales go on counting.
 */
export async function mergeBrands(db: Db, admin: Viewer, { from, to }: BrandMerging): Promise<void> {
  const variants = await db.select().from(deviceVariants).where(eq(deviceVariants.brand, from));
  const respelled = variants.map(({ id, model, processor }) => {
    const device = { brandName: to, model, processor };
    return [id, modelSlug(device), searchText(device)];
  });
  const { id, brand, category, model, processor, rom, ram } = deviceVariants;
  const read = sql`json_each(${JSON.stringify(respelled)}) as respelled`;
  const newId = sql`(select spelled.id from device_variants as spelled join device_variants as old
    on (spelled.category, spelled.brand, spelled.model, spelled.processor, spelled.rom, spelled.ram)
      = (old.category, ${to}, old.model, old.processor, old.rom, old.ram)
    where old.id = ${unmatchedListings.oldVariantId})`;
  const isOld = sql`in (select value ->> 0 from ${read})`;
  const isListing = and(eq(phones.brandName, from), startsWith(deviceNameColumn, `${from} `));
  const length = [...from].length;
  const newName = sql<string>`${to} || substr(${orders.productName}, ${length + 1})`;
  const isBought = and(
    inArray(orders.phoneId, db.select({ id: phones.id }).from(phones).where(isListing)),
    sql`lower(substr(${orders.productName}, 1, ${length + 1})) = lower(${`${from} `})`,
  );
  const lastId = Math.max(0, ...variants.map((variant) => variant.id));
  const refusal = await batchUnless(
    db,
    { changed: not(hasRow(db, deviceVariants, and(eq(brand, from), gt(id, lastId)))) },
    [
      db
        .insert(brands)
        .values({ key: brandKey(to), name: to })
        .onConflictDoNothing(),
      db.update(brands).set({ name: to }).where(eq(brands.name, from)),
      db
        .insert(deviceVariants)
        .select(
          sql`select null, ${category}, ${to}, ${model}, ${processor}, ${rom}, ${ram}, value ->> 1, value ->> 2, 0
            from ${read} join device_variants on ${id} = value ->> 0 where true`,
        )
        .onConflictDoNothing(),
      db
        .insert(searchWords)
        .select(sql`select null, value from json_each(${JSON.stringify(dictionaryWords(to))}) where true`)
        .onConflictDoNothing(),
      db
        .update(unmatchedListings)
        .set({ oldVariantId: newId })
        .where(sql`${unmatchedListings.oldVariantId} ${isOld}`),
      ...[sql`${orders.productName}`, newName].map((name) => markUsualPricesChanged(db, name, isBought)),
      db.update(orders).set({ productName: newName }).where(isBought),
      db.update(phones).set({ brandName: to }).where(isListing),
      db.delete(deviceVariants).where(sql`${id} ${isOld}`),
      addActivity(db, admin, "merged brands", "", from, { details: { into: to } }),
    ],
  );
  // A listing has brought a variant in the meantime.
  if (refusal) await mergeBrands(db, admin, { from, to });
}
