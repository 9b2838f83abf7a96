import { desc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, priceChanges } from "#app/db/schema.ts";

/** An asking price, in cents, and since when. */
export interface AskedPrice {
  cents: number;
  since: Date;
}

const maxChanges = 20;

/**
 * What a listing has been offered for, newest first, down to its first price unless it has changed very often.
 *
 * @returns empty when the price has never changed
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
  const asked = changes.map(({ cents, since }) => ({ cents, since }));
  if (oldest && listing && changes.length < maxChanges)
    asked.push({ cents: oldest.old, since: listing.since });
  return asked;
}
