import { and, eq, isNotNull, isNull, ne, not, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { listingDrafts, phones, users } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { SellingQuery } from "./listing-table.rules.ts";
import { isSellingOf } from "./listing-tables.server.ts";
import { listingColumns } from "./listings.server.ts";

/** Condition on `users`: has ever published or drafted a listing. */
export function hasListingOrDraft(db: Db) {
  // Deleted listings count: the last deletion must not lock its page, which offers to undo it.
  return or(
    hasRow(db, phones, eq(phones.sellerId, users.id)),
    hasRow(db, listingDrafts, eq(listingDrafts.sellerId, users.id)),
  );
}

/** Condition on `users`: a seller, or a buyer who has ever published a listing. */
export function sellsOrHasListed(db: Db) {
  const hasListed = hasRow(db, phones, eq(phones.sellerId, users.id));
  return or(eq(users.userType, "Seller"), and(eq(users.userType, "Buyer"), hasListed));
}

/** Whether a user has My Sellings: sellers and administrators, and buyers who have ever published or drafted a listing. */
export async function hasMySellings(db: Db, viewer: Viewer): Promise<boolean> {
  if (may(viewer, "see My Sells")) return true;
  return (await db.$count(users, and(eq(users.id, viewer.id), hasListingOrDraft(db)))) > 0;
}

/**
 * Condition: no other listing of the seller has the number. A deleted one gives it up, see `freeOwnNumber`.
 *
 * @param phoneId the listing that is to have it; undefined for a new one
 */
export function isFreeNumber(db: Db, seller: Viewer, ownNumber: string, phoneId = "") {
  return not(
    hasRow(db, phones, and(hasNumber(seller, ownNumber), isNotNull(phones.tab), ne(phones.id, phoneId))),
  );
}

/** A statement: a deleted listing no longer has the number, so that another can. */
export function freeOwnNumber(db: Db, seller: Viewer, ownNumber: string) {
  return db
    .update(phones)
    .set({ ownNumber: null })
    .where(and(hasNumber(seller, ownNumber), isNull(phones.tab)));
}

function hasNumber(seller: Viewer, ownNumber: string) {
  return and(eq(phones.sellerId, seller.id), sql`lower(${phones.ownNumber}) = lower(${ownNumber})`);
}

/**
 * Returns what reads the listings of a seller for the API, newest first. Nobody else reads the seller's own numbers.
 *
 * @param filters those of My Sells
 */
export async function readSellings(
  db: Db,
  viewer: Viewer,
  sellerId: string,
  filters: SellingQuery["filters"] = {},
) {
  const isOwn = sellerId === viewer.id;
  const isFiltered = Object.values(filters).some(Boolean);
  const where = await isSellingOf(db, { id: sellerId }, { filters }, isOwn);
  const ownNumber = isOwn ? sql<string | null>`${phones.ownNumber}` : sql<string | null>`null`;
  return (cursor: Cursor, limit: number) => {
    const { afterCursor, orderBy } = keyset(phones.id, cursor);
    return db
      .select({
        ...listingColumns,
        ownNumber: ownNumber.as("own_number"),
        isHidden: isNotNull(phones.hiddenById).mapWith(Boolean).as("is_hidden"),
      })
      .from(phones)
      .innerJoin(users, eq(users.id, phones.sellerId))
      .where(and(eq(phones.sellerId, sellerId), isFiltered ? where : isNull(phones.hiddenById), afterCursor))
      .orderBy(orderBy)
      .limit(limit);
  };
}
