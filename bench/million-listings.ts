import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { catalogue } from "../scripts/demo/catalogue.ts";
import { writeWithoutTriggers } from "../scripts/rebuild-shelves.ts";

const atOnce = 25_000;

/**
 * Fills a database that has no listings with as many as asked: the demo catalogue's models at many prices, of 1,000
 * sellers of whom every third is verified; one phone in 20 is reserved, one in 50 sold. Set-wise, with the triggers
 * away and the shelves written afterwards, since one by one a million takes an hour.
 */
export async function fillWithListings(db: Db, listings: number): Promise<void> {
  await addSellers(db);
  await db.run(sql`create table models (number integer primary key, model text)`);
  const models = catalogue.flatMap(({ storage, ...model }) => storage.map((size) => ({ ...model, ...size })));
  for (const [number, model] of models.entries()) {
    await db.run(sql`insert into models values (${number}, ${JSON.stringify(model)})`);
  }
  await writeWithoutTriggers(db, async () => {
    for (let first = 1; first <= listings; first += atOnce) {
      await addListings(db, models.length, first, Math.min(first + atOnce - 1, listings));
    }
  });
  await db.run(sql`drop table models`);
  // What the triggers would have renewed.
  await db.run(sql`insert into revisions values ('phones', 'filled')`);
}

async function addSellers(db: Db) {
  await db.run(sql`
    with recursive places(place) as (select 0 union all select place + 1 from places where place < 999)
    insert into users (id, name, email, user_type, verified, created_at)
    select 'seller-' || place, 'Seller ' || place, 'seller' || place || '@market.example', 'Seller',
      iif(place % 3 = 0, 'yes', null), 0
    from places`);
}

/** Which model, price and seller a listing has is as good as random, and the same each time. */
async function addListings(db: Db, models: number, first: number, last: number) {
  await db.run(sql`
    with recursive places(place) as (select cast(${first} as integer) union all select place + 1 from places where place < ${last})
    insert into phones (id, number, seller_id, brand_name, model, ram, rom, image, camera, processor, battery, os,
      device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at)
    select printf('01990000-0000-7000-8000-%012d', place), place, 'seller-' || (place * 7919 % 1000),
      model ->> 'brandName', model ->> 'model', model ->> 'ram', model ->> 'rom',
      '/devices/' || (model ->> 'slug') || '.svg', model ->> 'camera', model ->> 'processor', model ->> 'battery',
      model ->> 'os', model ->> 'deviceType', 'One phone is enough, and this one is as good as new.',
      (model ->> 'launchPrice') * 100,
      (model ->> 'launchPrice') * (20 + place * 104729 % 61) + place * 31 % 500, '2026-11-20', '14',
      iif(place % 50 = 7, 'sold', iif(place % 20 = 3, 'reserved', 'available')), place
    from places cross join models
    where models.number = (place * 2654435761 >> 7) % cast(${models} as integer)`);
}
