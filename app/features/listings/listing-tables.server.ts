import { and, asc, desc, eq, gte, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { startsWith } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { allRows, exportBatchSize, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { bookings, decisions, phones, users } from "#app/db/schema.ts";
import type { DecisionKind } from "#app/db/values.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { saversColumn } from "../saved-listings/saved-listings.server.ts";
import type { ListingQuery } from "./listing-table.rules.ts";

/** A listing in the table of My Sells; price in cents. */
export type ListingRow = Awaited<ReturnType<typeof listSellings>>["rows"][number];

/** A page of the viewer's own listings, newest first. */
export function listSellings(db: Db, viewer: Viewer, cursor: Cursor) {
  return listingPage(db, cursor, eq(phones.sellerId, viewer.id), undefined, hiddenByModerators(db));
}

/** A page of all listings, by default the newest first. */
export function listAllListings(db: Db, cursor: Cursor, query: ListingQuery = { filters: {} }) {
  return listingPage(db, cursor, listingsMatching(db, query), listingOrder(query));
}

/** All listings that match a table's query, in batches. */
export function exportListings(db: Db, query: ListingQuery) {
  return allRows(
    {
      table: phones,
      where: and(isNull(phones.removalId), listingsMatching(db, query)),
      ...listingOrder(query),
      read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
        db
          .select({
            id: phones.id,
            sellerName: users.name,
            sellerEmail: users.email,
            brandName: phones.brandName,
            model: phones.model,
            ram: phones.ram,
            rom: phones.rom,
            sellingCents: phones.sellingCents,
            marketCents: phones.marketCents,
            status: phones.status,
            createdAt: phones.createdAt,
            sortValue,
          })
          .from(phones)
          .innerJoin(users, eq(users.id, phones.sellerId))
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    },
    exportBatchSize,
  );
}

function listingsMatching(db: Db, { filters: { q, status, brand, minPrice, maxPrice } }: ListingQuery) {
  return and(
    q ? inArray(phones.sellerId, usersNamed(db, q)) : undefined,
    status && eq(phones.status, status),
    brand ? startsWith(phones.brandName, brand) : undefined,
    minPrice ? gte(phones.sellingCents, parsePrice(minPrice) ?? 0) : undefined,
    maxPrice ? lte(phones.sellingCents, parsePrice(maxPrice) ?? 0) : undefined,
  );
}

function listingOrder({ order }: ListingQuery) {
  return {
    order: order === "oldest" || order === "price-up" ? asc : desc,
    sortBy: order === "price-up" || order === "price-down" ? phones.sellingCents : undefined,
  };
}

function listingPage(
  db: Db,
  cursor: Cursor,
  condition: SQL | undefined,
  sorting?: ReturnType<typeof listingOrder>,
  alsoShown?: SQL,
) {
  return numberedPage(db, cursor, {
    table: phones,
    where: and(or(isNull(phones.removalId), alsoShown), condition),
    ...sorting,
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({
          id: phones.id,
          sellerId: phones.sellerId,
          sellerName: users.name,
          brandName: phones.brandName,
          model: phones.model,
          ram: phones.ram,
          rom: phones.rom,
          sellingCents: phones.sellingCents,
          status: phones.status,
          image: phones.image,
          cover: phones.cover,
          deviceType: phones.deviceType,
          /** The decision that hides the listing, and its kind. */
          decisionId: sql<string | null>`${decisions.id}`.as("decision_id"),
          hiddenBy: sql<DecisionKind | null>`${decisions.kind}`.as("hidden_by"),
          savers: saversColumn(phones.id).as("savers"),
          /** The active order. The alias is needed because D1 mixes up columns of the same name. */
          orderId: sql<string | null>`${bookings.id}`.as("order_id"),
          sortValue,
        })
        .from(phones)
        .innerJoin(users, eq(users.id, phones.sellerId))
        .leftJoin(bookings, and(eq(bookings.phoneId, phones.id), eq(bookings.status, "active")))
        .leftJoin(decisions, eq(decisions.id, phones.removalId))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** Decisions that take a listing off sale and keep it. */
export const hidingDecisions = ["hide", "hold", "suspend"] as const;

/** Condition on `phones`: hidden or held by a decision, so that its seller and administrators still see it. */
export function hiddenByModerators(db: Db) {
  return inArray(
    phones.removalId,
    db
      .select({ id: decisions.id })
      .from(decisions)
      .where(and(eq(decisions.id, phones.removalId), inArray(decisions.kind, hidingDecisions))),
  );
}
