import { desc, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { priceChanges } from "#app/db/schema.ts";

export interface AskedPrice {
  cents: number;
  since: Date;
}

const maxChanges = 20;

/** The last changes of a listing's price, newest first. */
export function priceChangesOf(db: Db, phoneId: string) {
  return db
    .select({ old: priceChanges.oldCents, cents: priceChanges.newCents, since: priceChanges.createdAt })
    .from(priceChanges)
    .where(eq(priceChanges.phoneId, phoneId))
    .orderBy(desc(priceChanges.id))
    .limit(maxChanges);
}

/**
 * The asking prices of a listing, newest first; empty if the price has never changed.
 *
 * @param changes the last 20, so older prices may be missing
 */
export function priceHistory(
  changes: { old: number; cents: number; since: Date }[],
  publishedAt: Date,
): AskedPrice[] {
  const oldest = changes.at(-1);
  const prices = changes.map(({ cents, since }) => ({ cents, since }));
  if (oldest && changes.length < maxChanges) prices.push({ cents: oldest.old, since: publishedAt });
  return prices;
}
