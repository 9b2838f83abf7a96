import { and, eq, inArray, isNotNull, isNull, lte, or, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { imeiIfStillFree, type ListingColumns, removalOfSeller } from "./listing-removal.server.ts";
import { type SaleChange, saleChanges } from "./sale-change.rules.ts";

const saleState = sql`iif(${phones.soldElsewhere}, 'sold elsewhere', ${phones.status})`;

/**
 * Condition on `phones`: the seller's own, visible, and the seller is neither suspended nor removed.
 *
 * @param sellerId with a plus sign where the listings are read by their ids, and not all of the seller
 */
const isShownOf = (seller: Viewer, sellerId: SQLWrapper = phones.sellerId) =>
  and(sql`${sellerId} = ${seller.id}`, isNull(phones.hiddenById), isNull(removalOfSeller));

const changed = {
  pause: { status: "paused", pausedUntil: null },
  "put back": { status: "available", pausedUntil: null, soldElsewhere: false },
  // It keeps its IMEI, which the next owner may list: see `holdsImei`.
  "sold elsewhere": { status: "sold", pausedUntil: null, soldElsewhere: true },
} as const satisfies Record<SaleChange, Partial<typeof phones.$inferInsert>>;

/**
 * Pauses listings of the seller, puts them back on sale or marks them as sold elsewhere. Those that a buyer books at the
 * same moment are left out, as are hidden ones. The same change again is none.
 *
 * @returns the ids of those that are now as they were to be
 */
export async function changeSale(
  db: Db,
  seller: Viewer,
  phoneIds: string[],
  change: SaleChange,
): Promise<string[]> {
  const { from, to } = saleChanges[change];
  const chosenIds = sql`(select value from json_each(${JSON.stringify(phoneIds)}))`;
  const isChosen = and(isShownOf(seller, sql`+${phones.sellerId}`), sql`${phones.id} in ${chosenIds}`);
  // What is on sale or paused keeps its IMEI.
  const comeBackBoth = (other: ListingColumns) =>
    and(
      eq(phones.soldElsewhere, true),
      eq(other.soldElsewhere, true),
      eq(other.sellerId, seller.id),
      isNull(other.hiddenById),
      sql`${other.id} in ${chosenIds}`,
    );
  const [, done] = await db.batch([
    db
      .update(phones)
      .set({
        ...changed[change],
        ...(change === "put back" && { imeiHash: imeiIfStillFree(db, comeBackBoth) }),
      })
      .where(and(isChosen, inArray(saleState, [...from]))),
    db
      .select({ id: phones.id })
      .from(phones)
      .where(and(isChosen, eq(saleState, to))),
  ]);
  return done.map(({ id }) => id);
}

/** Condition on `phones`: all of the seller, who is neither suspended nor removed. What hides them goes on hiding them. */
const isAnyOf = (seller: Viewer) => and(eq(phones.sellerId, seller.id), isNull(removalOfSeller));

/**
 * Pauses all listings of the seller until a day, hidden and deleted ones too, which may be shown again before it. What is
 * booked goes on, and is paused only if its order is cancelled. What was paused by itself stays so.
 */
export async function pauseAll(db: Db, seller: Viewer, until: Date): Promise<void> {
  await db
    .update(phones)
    .set({ pausedUntil: until, status: sql`iif(${phones.status} = 'available', 'paused', ${phones.status})` })
    .where(
      and(
        isAnyOf(seller),
        or(inArray(phones.status, ["available", "reserved"]), isNotNull(phones.pausedUntil)),
      ),
    );
}

/** Ends the pause of all listings of the seller before its day. */
export async function endPause(db: Db, seller: Viewer): Promise<void> {
  await db
    .update(phones)
    .set(onSaleAgain)
    .where(and(isAnyOf(seller), isNotNull(phones.pausedUntil)));
}

/** When the pause of all listings of the seller ends, as a column; null while there is none. */
const pauseEnd = ({ id }: Viewer) => sql<Date | null>`(select paused.paused_until from ${phones} as paused
  where paused.seller_id = ${id} and paused.paused_until is not null and paused.status <> 'sold'
    and paused.tab is not null limit 1)`;

/** When the pause of all listings of the seller ends; null while there is none. */
export async function findPauseEnd(db: Db, seller: Viewer): Promise<Date | null> {
  const [paused] = await db
    .select({ until: pauseEnd(seller).mapWith(phones.pausedUntil).as("until") })
    .from(users)
    .where(eq(users.id, seller.id));
  return paused?.until ?? null;
}

/** The columns of a listing that is put on sale: while the seller pauses all, it's paused as the others are. */
export const onSaleOrPaused = (seller: Viewer) => ({
  status: sql`iif(${pauseEnd(seller)} is null, 'available', 'paused')`,
  pausedUntil: pauseEnd(seller),
});

/** Puts listings back on sale whose pause has ended; what hides them goes on hiding them. */
export async function resumePaused(db: Db, now = new Date()): Promise<void> {
  const ended = db.select({ id: phones.id }).from(phones).where(lte(phones.pausedUntil, now)).limit(1000);
  await db.update(phones).set(onSaleAgain).where(inArray(phones.id, ended));
}

const onSaleAgain = {
  status: sql`iif(${phones.status} = 'paused', 'available', ${phones.status})`,
  pausedUntil: null,
};
