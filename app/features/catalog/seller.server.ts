import { and, asc, desc, eq, exists, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { isoMonth } from "../listings/phone-dates.rules.ts";
import { pageSize, tileColumns } from "../listings/phones.server.ts";
import { type Cursor, keysetPage } from "./cursor.rules.ts";

/**
 * A seller as everybody may see them, with what they have sold here and a page of what they have listed,
 * newest first. All of it is asked for side by side, so that it shares a round trip to the database.
 *
 * @returns null for an account that has ended, and for one that sells nothing and isn't a seller's
 */
export async function findSeller(db: Db, id: string, cursor: Cursor) {
  const backwards = cursor !== null && "before" in cursor;
  const theirs = and(eq(phones.sellerId, id), isNull(phones.removalId));
  const [[seller], [sold], rows] = await Promise.all([
    db
      .select({
        id: users.id,
        name: users.name,
        sellerVerified: users.verified,
        since: users.createdAt,
      })
      .from(users)
      .where(
        and(
          eq(users.id, id),
          isNull(users.removalId),
          or(eq(users.userType, "Seller"), exists(db.select({ one: sql`1` }).from(phones).where(theirs))),
        ),
      ),
    db
      .select({ count: sql<number>`count(*)` })
      .from(phones)
      .where(and(theirs, eq(phones.status, "sold"))),
    db
      .select(tileColumns)
      .from(phones)
      .where(
        and(
          theirs,
          inArray(phones.status, ["available", "reserved"]),
          cursor && "before" in cursor ? gt(phones.id, cursor.before) : undefined,
          cursor && "after" in cursor ? lt(phones.id, cursor.after) : undefined,
        ),
      )
      .orderBy(backwards ? asc(phones.id) : desc(phones.id))
      // One more than a page tells whether there is a further one.
      .limit(pageSize + 1),
  ]);
  if (!seller) return null;
  return {
    seller: { ...seller, since: isoMonth(seller.since) },
    sold: sold?.count ?? 0,
    ...keysetPage(rows, cursor, pageSize, (phone) => phone.id),
  };
}
