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
}
