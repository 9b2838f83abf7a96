import { and, eq, isNotNull, isNull, lt, ne, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isOneOf } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { SaleStatus } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { keyset, numberedPage } from "#app/db/keyset.server.ts";
import { phones, savedListings, sessions, users } from "#app/db/schema.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { maxSavedListings, maxShownSavers, type SaveListingOutcome } from "./saved-listing.rules.ts";

/** Saves a listing of another user that is not sold. A repeated request saves it once, with the first price. */
export async function saveListing(db: Db, viewer: Viewer, phoneId: string): Promise<SaveListingOutcome> {
  const listing = and(eq(phones.id, phoneId), isNull(phones.hiddenById));
  const price = db.select({ cents: phones.sellingCents }).from(phones).where(listing);
  const count = db.$count(savedListings, eq(savedListings.userId, viewer.id));
  const refusal = await batchUnless(
    db,
    {
      "unknown listing": hasRow(db, phones, listing),
      "already saved": not(hasRow(db, savedListings, isSavedBy(viewer, phoneId))),
      "own listing": hasRow(db, phones, and(listing, ne(phones.sellerId, viewer.id))),
      sold: hasRow(db, phones, and(listing, ne(phones.status, "sold"))),
      "limit reached": and(isOpenAccount(db, viewer), lt(count, maxSavedListings)),
    },
    [db.insert(savedListings).values({ userId: viewer.id, phoneId, priceCents: sql`(${price})` })],
  );
  return refusal ?? "saved";
}

/** Removes a listing from a user's saved ones; false if it was not among them. */
export async function unsaveListing(db: Db, viewer: Viewer, phoneId: string): Promise<boolean> {
  const removed = await db
    .delete(savedListings)
    .where(isSavedBy(viewer, phoneId))
    .returning({ id: savedListings.id });
  return removed.length > 0;
}

/** Which of these listings a user has saved. */
export async function findSavedIds(db: Db, viewer: Viewer, phoneIds: string[]): Promise<string[]> {
  const wanted = isOneOf(savedListings.phoneId, phoneIds);
  const found = await db
    .select({ phoneId: savedListings.phoneId })
    .from(savedListings)
    .where(and(eq(savedListings.userId, viewer.id), wanted));
  return found.map(({ phoneId }) => phoneId);
}

/** Which of the listings are the viewer's own. */
export async function findOwnIds(db: Db, viewer: Viewer, phoneIds: string[]): Promise<string[]> {
  const own = await db
    .select({ id: phones.id })
    .from(phones)
    .where(and(eq(phones.sellerId, viewer.id), isOneOf(phones.id, phoneIds)));
  return own.map(({ id }) => id);
}

/** Whether a user has saved a listing, and how many have, for its page. */
export type SavedState = NonNullable<Awaited<ReturnType<typeof findSavedState>>>;

/**
 * Whether the user of a session has saved a listing and, for its seller and administrators only, how many users have.
 * Does not check that the session is valid.
 */
export async function findSavedState(db: Db, sessionId: string, phoneId: string) {
  const [row] = await db
    .select({
      isSaved: isNotNull(savedListings.id).mapWith(Boolean).as("is_saved"),
      savers: sql<number | null>`iif(
        ${phones.sellerId} = ${users.id} or ${hasPermission("manage listings")}, ${saversColumn(phones.id)}, null)`.as(
        "savers",
      ),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(phones, eq(phones.id, phoneId))
    .leftJoin(savedListings, and(eq(savedListings.userId, users.id), eq(savedListings.phoneId, phones.id)))
    .where(eq(sessions.id, sessionId));
  return row ?? null;
}

/** A saved listing; prices in cents. Of a removed one only the name of the device is known, of a deleted one nothing. */
export type SavedListing = Awaited<ReturnType<typeof selectSaved>>[number];

/** A page of a user's saved listings, the last saved first. */
export function listSaved(db: Db, viewer: Viewer, cursor: Cursor) {
  return numberedPage(db, cursor, {
    table: savedListings,
    where: eq(savedListings.userId, viewer.id),
    read: ({ where, orderBy, limit, sortValue }) =>
      savedRows(db, { sortValue })
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** Selects a user's saved listings for the API, the last saved first. */
export function selectSaved(db: Db, viewer: Viewer, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(savedListings.id, cursor);
  return savedRows(db, {})
    .where(and(eq(savedListings.userId, viewer.id), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

function savedRows<More extends Record<string, SQL.Aliased>>(db: Db, more: More) {
  const unlessRemoved = <Value>(column: SQLWrapper, name: string) =>
    sql<Value | null>`iif(${phones.hiddenById} is null, ${column}, null)`.as(name);
  return db
    .select({
      ...more,
      id: savedListings.id,
      phoneId: savedListings.phoneId,
      savedCents: savedListings.priceCents,
      createdAt: savedListings.createdAt,
      brandName: sql<string | null>`${phones.brandName}`.as("brand_name"),
      model: sql<string | null>`${phones.model}`.as("model"),
      ram: unlessRemoved<string>(phones.ram, "shown_ram"),
      rom: unlessRemoved<string>(phones.rom, "shown_rom"),
      cover: unlessRemoved<string>(phones.cover, "shown_cover"),
      image: unlessRemoved<string>(phones.image, "shown_image"),
      deviceType: unlessRemoved<string>(phones.deviceType, "shown_type"),
      sellingCents: unlessRemoved<number>(phones.sellingCents, "shown_cents"),
      status: sql<SaleStatus | "removed">`iif(
        ${phones.id} is null or ${phones.hiddenById} is not null, 'removed', ${phones.status})`.as(
        "shown_status",
      ),
    })
    .from(savedListings)
    .leftJoin(phones, eq(phones.id, savedListings.phoneId));
}

function isSavedBy(viewer: Viewer, phoneId: string | SQLWrapper) {
  return and(eq(savedListings.userId, viewer.id), eq(savedListings.phoneId, phoneId));
}

/** How many users have saved a listing, counted up to one more than pages show, as a column. For its seller only. */
export function saversColumn(phoneId: SQLWrapper) {
  return sql<number>`(select count(*) from (
    select 1 from ${savedListings} inner join ${users} as saver on saver.id = ${savedListings.userId}
    where ${savedListings.phoneId} = ${phoneId} and saver.removal_id is null limit ${maxShownSavers + 1}))`;
}
