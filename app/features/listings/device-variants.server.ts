import { and, eq, isNotNull, ne, not, notInArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { deviceCategoryKey } from "#app/db/enums.ts";
import { brands, deviceVariants, orders, phones, searchWords, unmatchedListings } from "#app/db/schema.ts";
import {
  brandKey,
  dictionaryWords,
  modelSlug,
  type NamedDevice,
  searchText,
} from "./device-variant.rules.ts";

/** Run these before the listing's statement in its batch: a trigger then sets the listing's variant. */
export function deviceVariantStatements(db: Db, device: NamedDevice) {
  const { brandName, model, processor, rom, ram } = device;
  const identity = sql`${deviceCategoryKey(device)}, ${listedSpellingOf(brandName)}, ${model}, ${processor}, ${rom}, ${ram}`;
  const words = JSON.stringify(dictionaryWords(`${brandName} ${model} ${processor}`));
  return [
    db
      .insert(brands)
      .values({ key: brandKey(brandName), name: brandName })
      .onConflictDoNothing(),
    db
      .insert(deviceVariants)
      .select(sql`select null, ${identity}, ${modelSlug(device)}, ${searchText(device)}, 0 where true`)
      .onConflictDoNothing(),
    db
      .insert(searchWords)
      .select(sql`select null, value from json_each(${words}) where true`)
      .onConflictDoNothing(),
  ] as const;
}

/**
 * A device with its brand spelled as it was first listed, or as staff has merged it: "Motorola" for "MOTOROLA". All that
 * stores a listing calls this.
 */
export async function withSpelledBrand<Named extends { brandName: string }>(
  db: Db,
  device: Named,
): Promise<Named> {
  const [brand] = await db
    .select({ name: brands.name })
    .from(brands)
    .where(eq(brands.key, brandKey(device.brandName)));
  return brand ? { ...device, brandName: brand.name } : device;
}

/** The spelling of a brand that is listed, also by another at the same moment. */
export function listedSpellingOf(brandName: string): SQL<string> {
  return sql<string>`(select name from brands where key = ${brandKey(brandName)})`;
}

/** Selects the `name` of each of these brands; of one that is listed so, or was never listed, the spelling given. */
export function spellingsOf(names: string[]): SQL {
  const spelled = JSON.stringify(names.map((name) => [brandKey(name), name]));
  const isListedSo = sql`exists (select 1 from brands as listed where listed.name = spelled.value ->> 1)`;
  return sql`select iif(${isListedSo}, spelled.value ->> 1, coalesce(brands.name, spelled.value ->> 1)) as name
    from json_each(${spelled}) as spelled left join brands on brands.key = spelled.value ->> 0`;
}

/** Deletes variants that no phone has any more, and the words and brands that are in no other. @param limit of one run */
export async function deleteVariantsWithoutListing(db: Db, limit: number): Promise<void> {
  const { id, brand, model, processor } = deviceVariants;
  // By the index of devices: that of variants has listed phones only.
  const name = sql`lower(${phones.brandName} || ' ' || ${phones.model})`;
  const isOfPhone = hasRow(
    db,
    phones,
    and(eq(name, sql`lower(${brand} || ' ' || ${model})`), eq(phones.variantId, id)),
  );
  // Saved searches still compare edited listings with these.
  const compared = db
    .select({ id: unmatchedListings.oldVariantId })
    .from(unmatchedListings)
    .where(isNotNull(unmatchedListings.oldVariantId));
  const isUnused = and(sql`${deviceVariants.listed} = 0`, not(isOfPhone), notInArray(id, compared));
  const unused = await db
    .select({ id, text: sql<string>`${brand} || ' ' || ${model} || ' ' || ${processor}`.as("text") })
    .from(deviceVariants)
    .where(isUnused)
    .limit(limit);
  if (unused.length === 0) return;
  const ids = JSON.stringify(unused.map((variant) => variant.id));
  const words = JSON.stringify(unused.flatMap(({ text }) => dictionaryWords(text)));
  await db.batch([
    db.delete(deviceVariants).where(and(sql`${id} in (select value from json_each(${ids}))`, isUnused)),
    db
      .delete(searchWords)
      .where(
        and(
          sql`${searchWords.word} in (select value from json_each(${words}))`,
          sql`not exists (select 1 from device_variants_fts where device_variants_fts match '"' || ${searchWords.word} || '"')`,
        ),
      ),
    db.delete(brands).where(not(hasRow(db, deviceVariants, eq(brand, brands.name)))),
  ]);
}

/** What `sizeKey` is in JavaScript; the indexes of migrations/0004_sizes.sql have the same expression. */
export function sizeKeyOf(column: SQLWrapper): SQL {
  const unit = sql`lower(substr(ltrim(${column}, '0123456789., ' || char(160)), 1, 1))`;
  return sql`iif(${column} glob '[0-9]*', cast(replace(${column}, ',', '.') as real) * iif(${unit} = 't', 1048576, iif(${unit} = 'm', 1, 1024)), ${column})`;
}

/**
 * Finds the model of a listing and how many of its phones are listed. Returns no row if no phone of the model is listed
 * or was sold, so that it has no page.
 */
export function modelOfListing(db: Db, phoneId: string) {
  const slug = sql`(select model_slug from device_variants
    where id = (select variant_id from ${phones} where ${phones.id} = ${phoneId}))`;
  const listed = sql<number>`sum(${deviceVariants.listed})`;
  const names = sql`select lower(brand || ' ' || model) from device_variants where model_slug = ${slug}`;
  const isSold = sql`exists (select 1 from ${orders}
    where lower(${orders.productName}) in (${names}) and ${and(eq(orders.status, sql`'active'`), ne(orders.stage, sql`'reserved'`))})`;
  return db
    .select({ slug: deviceVariants.modelSlug, listed })
    .from(deviceVariants)
    .where(sql`${deviceVariants.modelSlug} = ${slug} and ${deviceVariants.modelSlug} <> ''`)
    .groupBy(deviceVariants.modelSlug)
    .having(sql`${listed} > 0 or ${isSold}`);
}
