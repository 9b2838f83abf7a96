import { and, asc, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";

/** Addresses in one part at most; the protocol allows 50,000. */
export const partSize = 10_000;

/** Read from the database at once. */
const batch = 2500;

/** SQLite's own number of a row: each new one has the next, so that so many numbers hold no more listings than that. */
const number = sql<number>`${phones}.rowid`;

/** How many parts all listings that have ever been make; asks for nothing but the last of them. */
export async function sitemapParts(db: Db): Promise<number> {
  const [row] = await db.select({ last: sql<number | null>`max(${number})` }).from(phones);
  return Math.ceil((row?.last ?? 0) / partSize);
}

/**
 * The listings of one part that are on the shelves, some at a time, so that memory stays flat.
 *
 * @param part from 1
 * @returns their ids
 */
export async function* listingsOfPart(db: Db, part: number): AsyncGenerator<string[], void> {
  const last = part * partSize;
  for (let from = last - partSize; from < last; from += batch) {
    const rows = await db
      .select({ id: phones.id })
      .from(phones)
      .where(
        and(
          gt(number, from),
          lte(number, Math.min(from + batch, last)),
          inArray(phones.status, ["available", "reserved"]),
          isNull(phones.removalId),
        ),
      )
      .orderBy(asc(number));
    yield rows.map(({ id }) => id);
  }
}
