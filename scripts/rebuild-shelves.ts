import { max, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";

const atOnce = 25_000;

/**
 * Writes the shelves' indexes and counts anew from the listings, step by step, so that no statement takes long.
 * Nobody else may write meanwhile.
 */
export async function rebuildShelves(db: Db): Promise<void> {
  const [highest] = await db.select({ number: max(phones.number) }).from(phones);
  for (let first = 0; first <= (highest?.number ?? 0); first += atOnce) {
    await db.run(sql`insert into shelf_rebuilds values (${first}, ${first + atOnce - 1})`);
  }
  // Each step has written a piece of each index; as one they are smaller, and faster to ask.
  for (const index of ["shelf_newest", "shelf_price", "shelf_saving", "shelf_variants"].map((name) =>
    sql.identifier(name),
  )) {
    await db.run(sql`insert into ${index} (${index}) values ('optimize')`);
  }
}

/**
 * Writes much at once: with the triggers of listings and accounts away, which come back whatever happens, and the
 * shelves written afterwards. Listings need their numbers then. Nobody else may write meanwhile.
 */
export async function writeWithoutTriggers(db: Db, write: () => Promise<void>): Promise<void> {
  const triggers = await db.all<{ name: string; sql: string }>(
    sql`select name, sql from sqlite_master where type = 'trigger' and tbl_name in ('phones', 'users')`,
  );
  for (const { name } of triggers) await db.run(sql`drop trigger ${sql.identifier(name)}`);
  try {
    await write();
  } finally {
    for (const trigger of triggers) await db.run(sql.raw(trigger.sql));
  }
  await rebuildShelves(db);
}
