import { desc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, priceChanges } from "#app/db/schema.ts";

export interface AskedPrice {
  cents: number;
  since: Date;
}

const maxChanges = 20;

/**
 * The asking prices of a listing, newest first. Returns at most the last 20 changes, so older prices may be missing.
 *
 * @returns empty if the price has never changed
 */
export async function priceHistory(db: Db, phoneId: string): Promise<AskedPrice[]> {
  const [changes, [listing]] = await db.batch([
    db
      .select({ old: priceChanges.oldCents, cents: priceChanges.newCents, since: priceChanges.createdAt })
      .from(priceChanges)
      .where(eq(priceChanges.phoneId, phoneId))
      .orderBy(desc(priceChanges.id))
      .limit(maxChanges),
    db.select({ since: phones.createdAt }).from(phones).where(eq(phones.id, phoneId)),
  ]);
  const oldest = changes.at(-1);
  const prices = changes.map(({ cents, since }) => ({ cents, since }));
  if (oldest && listing && changes.length < maxChanges)
    prices.push({ cents: oldest.old, since: listing.since });
  return prices;
}
