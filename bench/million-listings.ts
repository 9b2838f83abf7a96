import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariantStatements } from "#app/features/listings/device-variants.server.ts";
import { catalog } from "../scripts/demo/catalog.ts";

const batchSize = 5000;

/** How many sellers so many listings are from. */
export const sellersOf = (listings: number) => Math.max(1000, Math.round(listings / 1000));

/** The id of a listing by its place, from 1. */
export const listingId = (place: number) => `01990000-0000-7000-8000-${String(place).padStart(12, "0")}`;

/** The device variants of the listings: those of the demo catalog, or one for each listing. */
export type Devices = "catalog" | "own";

/**
 * Fills a database without listings. The listings are from `sellersOf` them, every third of them verified. Of 100 phones,
 * three are reserved and two sold. Each catalog model comes with 16 chipset names, to get many variants.
 */
export async function fillWithListings(db: Db, listings: number, devices: Devices): Promise<void> {
  const sellers = sellersOf(listings);
  await addSellers(db, sellers);
  await db.run(sql`create table models (number integer primary key, model text)`);
  const models = catalog
    .flatMap(({ storage, ...model }) => storage.map((size) => ({ ...model, ...size })))
    .flatMap((model) =>
      Array.from({ length: 16 }, (_, revision) => ({
        ...model,
        processor: revision === 0 ? model.processor : `${model.processor} rev ${revision}`,
      })),
    );
  const [first, ...others] = models.flatMap((model, number) => [
    db.run(
      sql.raw(`insert into models values (${number}, '${JSON.stringify(model).replaceAll("'", "''")}')`),
    ),
    ...deviceVariantStatements(db, model),
  ]);
  if (first) await db.batch([first, ...others]);
  // Bulk inserts without triggers and indexes: with them a million listings take 15 minutes.
  const dropped = await db.all<{ type: string; name: string; sql: string }>(
    sql`select type, name, sql from sqlite_master where type in ('trigger', 'index') and tbl_name = 'phones' and sql is not null
      order by type`,
  );
  for (const { type, name } of dropped) await db.run(sql`drop ${sql.raw(type)} ${sql.identifier(name)}`);
  for (let first = 1; first <= listings; first += batchSize) {
    const last = Math.min(first + batchSize - 1, listings);
    if (devices === "own") await addOwnVariants(db, models.length, first, last);
    await addListings(db, { sellers, models: models.length, first, last, devices });
  }
  for (const { sql: statement } of dropped.filter(({ type }) => type === "index"))
    await db.run(sql.raw(statement));
  await countListings(db);
  for (const { sql: statement } of dropped.filter(({ type }) => type === "trigger"))
    await db.run(sql.raw(statement));
  await db.run(sql`drop table models`);
}

/** Sets the number that the triggers maintain. */
async function countListings(db: Db) {
  await db.run(sql`
    update device_variants set listed = n
    from (select variant_id, count(*) as n from phones where phones.listed group by variant_id)
    where variant_id = id`);
  await db.run(sql`insert into revisions values ('phones', 'filled')`);
}

async function addSellers(db: Db, sellers: number) {
  await db.run(sql`
    with recursive places(place) as (select 0 union all select place + 1 from places where place < ${sellers - 1})
    insert into users (id, name, email, user_type, verified, created_at)
    select 'seller-' || place, 'Seller ' || place, 'seller' || place || '@market.example', 'Seller',
      place % 3 = 0, 0
    from places`);
}

const places = (first: number, last: number) => sql`with recursive places(place) as (
  select cast(${first} as integer) union all select place + 1 from places where place < ${last})`;

/** A pseudorandom integer below the limit, the same in each run. */
const random = (salt: number, limit: number) =>
  sql.raw(`(((place * 2654435761 + ${salt * 40503}) >> 7) % ${limit})`);

const category = sql`case when models.model ->> 'deviceType' = 'Tablet' then 'tablet'
  when models.model ->> 'os' = 'Ios' then 'ios' else 'android' end`;

/** Picks a model: half of the listings get one of a tenth of the models. */
const modelOf = (models: number) =>
  sql`iif(${random(1, 2)}, ${random(2, Math.ceil(models / 10))} * 10, ${random(3, models)})`;

async function addOwnVariants(db: Db, models: number, first: number, last: number) {
  await db.run(sql`
    ${places(first, last)}
    insert into device_variants (category, brand, model, processor, rom, ram, model_slug, search_text)
    select ${category},
      models.model ->> 'brandName', (models.model ->> 'model') || ' no ' || place, models.model ->> 'processor', models.model ->> 'rom', models.model ->> 'ram',
      lower(replace((models.model ->> 'brandName') || ' ' || (models.model ->> 'model'), ' ', '-')) || '-no-' || place,
      lower((models.model ->> 'brandName') || ' ' || (models.model ->> 'model') || ' no ' || place || ' ' || (models.model ->> 'processor'))
    from places cross join models where models.number = ${modelOf(models)}`);
}

async function addListings(
  db: Db,
  {
    sellers,
    models,
    first,
    last,
    devices,
  }: { sellers: number; models: number; first: number; last: number; devices: Devices },
) {
  const model =
    devices === "own" ? sql`(models.model ->> 'model') || ' no ' || place` : sql`models.model ->> 'model'`;
  await db.run(sql`
    ${places(first, last)}
    insert into phones (id, number, seller_id, brand_name, model, ram, rom, image, camera, processor, battery, os,
      device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, condition,
      battery_health, color, carrier_lock, created_at, seller_verified, variant_id)
    select printf('01990000-0000-7000-8000-%012d', place), place, 'seller-' || ${random(4, sellers)},
      models.model ->> 'brandName', ${model}, models.model ->> 'ram', models.model ->> 'rom',
      '/devices/' || (models.model ->> 'slug') || '.svg', models.model ->> 'camera', models.model ->> 'processor', models.model ->> 'battery',
      models.model ->> 'os', models.model ->> 'deviceType', 'One phone is enough, and this one is as good as new.',
      (models.model ->> 'launchPrice') * 100,
      (models.model ->> 'launchPrice') * (20 + ${random(5, 61)}) + ${random(6, 500)}, '2026-11-20', '14',
      case ${random(7, 100)} when 7 then 'sold' when 8 then 'sold' when 3 then 'reserved' when 4 then 'reserved'
        when 5 then 'reserved' else 'available' end,
      case ${random(8, 6)} when 0 then 'Fair' when 1 then 'Good' when 2 then 'Excellent' end,
      iif(${random(9, 2)}, 70 + ${random(10, 31)}, null),
      case ${random(11, 5)} when 0 then 'Black' when 1 then 'Blue' when 2 then 'Green' when 3 then 'White' end,
      case ${random(12, 4)} when 0 then 'unlocked' when 1 then 'unlocked' when 2 then 'Verizon' end, place, ${random(4, sellers)} % 3 = 0,
      (select v.id from device_variants as v where (v.category, v.brand, v.model, v.processor, v.rom, v.ram) = (
        ${category},
        models.model ->> 'brandName', ${model}, models.model ->> 'processor', models.model ->> 'rom', models.model ->> 'ram'))
    from places cross join models where models.number = ${modelOf(models)}`);
}
