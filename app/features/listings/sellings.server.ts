import {
  and,
  asc,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { startsWith } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { allRows, exportBatchSize, keyset, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { activity, bookings, decisions, phones, removals, users } from "#app/db/schema.ts";
import type { DecisionKind } from "#app/db/values.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { ownListingUnlessAdmin } from "../accounts/account-access.server.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { imeiIfStillFree, removalExists, removalValues, stillRemoved } from "../audit/removals.server.ts";
import { saversColumn } from "../saved-listings/saved-listings.server.ts";
import { deviceVariantStatements } from "./device-variants.server.ts";
import { holdFirstListing, isHeld } from "./first-listing-hold.server.ts";
import type { ListingQuery } from "./listing-table.rules.ts";
import type { NewPhone } from "./phone.schema.ts";
import { listingColumns } from "./phones.server.ts";
import { queueNewListing } from "./unmatched-listings.server.ts";

/**
 * Publishes a listing.
 *
 * @param formKey idempotency key: the same form submitted again creates no second listing
 * @param holdsFirst whether the first listing of a seller waits for approval
 */
export async function addPhone(
  db: Db,
  seller: Viewer,
  phone: NewPhone,
  formKey: string | null,
  holdsFirst = false,
): Promise<string> {
  const { marketPrice, sellingPrice, ...facts } = phone;
  const row = { ...facts, marketCents: marketPrice, sellingCents: sellingPrice, sellerId: seller.id };
  const id = timeOrderedId();
  const variant = deviceVariantStatements(db, phone);
  const afterInsertion = [
    removeIfSellerIsRemoved(db, id),
    ...(holdsFirst ? holdFirstListing(db, id) : []),
    queueNewListing(db, id),
  ] as const;
  const [, , [added]] = await db.batch([
    ...variant,
    db
      .insert(phones)
      .values({ id, ...row, formKey })
      .onConflictDoNothing({ target: [phones.sellerId, phones.formKey] })
      .returning({ id: phones.id }),
    ...afterInsertion,
  ]);
  if (added || !formKey) return id;

  // The key was used. With the same values this is a repeated submission; otherwise the browser restored an old key.
  const sameValues = Object.entries(row).map(([name, value]) => eq(phones[name as keyof typeof row], value));
  const [same] = await db
    .select({ id: phones.id })
    .from(phones)
    .where(and(eq(phones.formKey, formKey), or(isNull(phones.removalId), isHeld(db)), ...sameValues));
  if (same) return same.id;
  await db.batch([...variant, db.insert(phones).values({ id, ...row }), ...afterInsertion]);
  return id;
}

/** The removal or suspension of a phone's seller, for a condition on `phones`. */
export const removalOfSeller = sql`(select coalesce(${users.removalId}, ${users.suspensionId}) from ${users} where ${users.id} = ${phones.sellerId})`;

/** Removes a new listing if its seller was removed or suspended during the request. */
function removeIfSellerIsRemoved(db: Db, phoneId: string) {
  return db
    .update(phones)
    .set({ removalId: removalOfSeller })
    .where(and(eq(phones.id, phoneId), isNotNull(removalOfSeller)));
}

/** Selects the listings of a seller for the API, newest first. */
export function selectSellings(db: Db, sellerId: string, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(phones.id, cursor);
  return db
    .select(listingColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(eq(phones.sellerId, sellerId), isNull(phones.removalId), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/** A listing in the table of My Sells; price in cents. */
export type ListingRow = Awaited<ReturnType<typeof listSellings>>["rows"][number];

/** Whether a user has My Sellings: sellers and administrators, and buyers who have ever published a listing. */
export async function hasMySellings(db: Db, viewer: Viewer): Promise<boolean> {
  if (viewer.userType !== "Buyer") return true;
  // Deleted listings count: the last deletion must not lock its page, which offers to undo it.
  const own = eq(phones.sellerId, viewer.id);
  return (await db.select({ id: phones.id }).from(phones).where(own).limit(1)).length > 0;
}

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

/** Condition on `phones`: hidden or held by a decision, so that the seller still sees it. */
function hiddenByModerators(db: Db) {
  return inArray(
    phones.removalId,
    db
      .select({ id: decisions.id })
      .from(decisions)
      .where(and(eq(decisions.id, phones.removalId), inArray(decisions.kind, ["hide", "hold", "suspend"]))),
  );
}

/** Administrators may remove any listing, sellers their own. Returns the removal's id, or null. */
export async function removePhone(db: Db, viewer: Viewer, phoneId: string): Promise<string | null> {
  const removalId = timeOrderedId();
  const [removed] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalValues(removalId, viewer, "phone", phones.id))
          .from(phones)
          .where(
            and(
              eq(phones.id, phoneId),
              isNull(phones.removalId),
              ne(phones.status, "reserved"),
              ownListingUnlessAdmin(viewer),
            ),
          ),
      )
      .returning({ id: removals.id }),
    db
      .update(phones)
      .set({ removalId })
      .where(and(eq(phones.id, phoneId), removalExists(db, removalId))),
    db.insert(activity).select(
      db
        .select(activityValues(viewer, "deleted listing", phones.id, deviceName))
        .from(phones)
        .where(and(eq(phones.removalId, removalId), ne(phones.sellerId, viewer.id))),
    ),
  ]);
  return removed[0]?.id ?? null;
}

export async function isReserved(db: Db, viewer: Viewer, phoneId: string): Promise<boolean> {
  const reserved = await db
    .select({ id: phones.id })
    .from(phones)
    .where(
      and(
        eq(phones.id, phoneId),
        eq(phones.status, "reserved"),
        isNull(phones.removalId),
        ownListingUnlessAdmin(viewer),
      ),
    );
  return reserved.length > 0;
}

/** Restores a removed listing, unless its seller has been removed too. While the seller is suspended it stays hidden. */
export async function restorePhone(db: Db, actor: Viewer, removalId: string): Promise<boolean> {
  const isRestored = or(isNull(phones.removalId), ne(phones.removalId, removalId));
  const [restored] = await db.batch([
    db
      .update(phones)
      .set({ removalId: removalOfSeller, imeiHash: imeiIfStillFree(db) })
      .where(
        and(
          eq(phones.removalId, removalId),
          exists(
            db
              .select({ one: sql`1` })
              .from(users)
              .where(and(eq(users.id, phones.sellerId), isNull(users.removalId))),
          ),
        ),
      )
      .returning({ id: phones.id }),
    db.insert(activity).select(
      db
        .select(activityValues(actor, "undid deletion", phones.id, deviceName))
        .from(removals)
        .innerJoin(phones, eq(phones.id, removals.targetId))
        .where(and(stillRemoved(removalId), isRestored, ne(phones.sellerId, actor.id))),
    ),
    db
      .update(removals)
      .set({ undoneAt: new Date() })
      .where(
        and(
          stillRemoved(removalId),
          exists(
            db
              .select({ one: sql`1` })
              .from(phones)
              .where(and(eq(phones.id, removals.targetId), isRestored)),
          ),
        ),
      ),
  ]);
  return restored.length > 0;
}

const deviceName = sql`${phones.brandName} || ' ' || ${phones.model}`;
