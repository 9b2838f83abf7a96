import { and, asc, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";

/** Addresses in one part at most; the protocol allows 50,000. */
export const partSize = 10_000;

/** Read from the database at once. */
const batch = 2500;

/** How many parts all listings that have ever been make; asks for nothing but the last of them. */
export async function sitemapParts(db: Db): Promise<number> {
  const [row] = await db.select({ last: sql<number | null>`max(${phones.number})` }).from(phones);
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
          gt(phones.number, from),
          lte(phones.number, Math.min(from + batch, last)),
          inArray(phones.status, ["available", "reserved"]),
          isNull(phones.removalId),
        ),
      )
      .orderBy(asc(phones.number));
    yield rows.map(({ id }) => id);
  }
}
