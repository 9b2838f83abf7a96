import { and, desc, eq, exists, gt, inArray, isNull, not, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, isOneOf, newId, valueFor } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { freeStatuses, type SaleStatus } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { numberedPage, withIndex } from "#app/db/keyset.server.ts";
import { phones, priceChanges, removals } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import {
  addRemoval,
  findUndoable,
  isNotUndone,
  isReturned,
  markUndone,
  type Removal,
  undoableSince,
} from "../audit/removals.server.ts";
import { usualPriceColumn } from "./fair-price.server.ts";
import type { SellingQuery } from "./listing-table.rules.ts";
import { cutToNewest, sellingsMatching } from "./listing-tables.server.ts";
import { pictureColumns } from "./listings.server.ts";
import { maxPriceChanges, type priceRefusals } from "./price-field.rules.ts";
import { queueEditedListings } from "./unmatched-listings.server.ts";

/** A listing of the seller with its price in cents, and why it keeps that, if it does. */
export type PricedListing = Awaited<ReturnType<typeof findPrices>>[number];

/** The chosen listings of the seller, in the order of the ids; those that are not theirs, or are deleted, are left out. */
export async function findPrices(db: Db, seller: Viewer, phoneIds: string[]) {
  const ids = phoneIds.slice(0, maxPriceChanges);
  const found = await db
    .select(pricedColumns(db))
    .from(phones)
    // By the ids, and not all listings of the seller.
    .where(
      and(sql`+${phones.sellerId} = ${seller.id}`, sql`${phones.tab} is not null`, isOneOf(phones.id, ids)),
    );
  return found.map(withRefusal).sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** A page of the seller's listings that a query of My Sells finds. */
export async function listPrices(db: Db, seller: Viewer, cursor: Cursor, query: SellingQuery) {
  const { isNewest, ...rows } = await sellingsMatching(db, seller, query, maxPriceChanges);
  const found = await numberedPage(db, cursor, {
    table: phones,
    ...rows,
    read: ({ where, orderBy, limit, sortValue }) => {
      const select = db
        .select({ ...pricedColumns(db), number: phones.number, sortValue })
        .from(phones)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .$dynamic();
      return withIndex(select, rows.index);
    },
  });
  const page = cutToNewest(found, isNewest);
  return { ...page, rows: page.rows.map(withRefusal) };
}

const pricedColumns = (db: Db) => ({
  id: phones.id,
  brandName: phones.brandName,
  model: phones.model,
  ram: phones.ram,
  rom: phones.rom,
  ownNumber: phones.ownNumber,
  status: phones.status,
  isShown: sql`${isShown(db)}`.mapWith(Boolean).as("is_shown"),
  sellingCents: phones.sellingCents,
  marketCents: phones.marketCents,
  usualCents: usualPriceColumn(db),
  picture: pictureColumns,
});

function withRefusal<Listing extends { status: SaleStatus; isShown: boolean }>({
  isShown,
  ...listing
}: Listing) {
  return { ...listing, refusal: refusalOf({ status: listing.status, isShown }) };
}

function refusalOf(listing: { status: SaleStatus; isShown: boolean }): keyof typeof priceRefusals | null {
  const { status, isShown } = listing;
  if (status === "reserved" || status === "sold") return status;
  return isShown ? null : "unknown listing";
}

/** Condition on `phones`: nothing hides it but an order that it came back from. */
const isShown = (db: Db) => or(isNull(phones.hiddenById), isReturned(db));

interface PriceChange {
  id: string;
  /** The price that the seller saw; without it, any is changed. */
  shownCents?: number | undefined;
  cents: number;
}

/** What became of a price: changed now or by the same form before, the same as it was, or refused. */
type PriceOutcome = "changed" | "same" | "stale" | keyof typeof priceRefusals;

/**
 * Changes prices of the seller, each by itself: one that is not as it was shown, or whose listing is booked or hidden at
 * the same moment, stays. One undo takes all back.
 *
 * @param changes of each listing one
 * @param formKey idempotency key: the same form submitted again changes nothing and has the same result
 * @returns the removal's id, if anything has changed, and what became of each
 */
export async function changePrices(
  db: Db,
  seller: Viewer,
  changes: PriceChange[],
  formKey: string | null,
): Promise<{ removalId: string | null; outcomes: Map<string, PriceOutcome> }> {
  const removalId = timeOrderedId();
  const rows = changes.map(({ id, shownCents, cents }) => [id, shownCents ?? null, cents, timeOrderedId()]);
  const asked = sql`json_each(${JSON.stringify(rows)}) as asked`;
  const isChanging = and(
    sql`${phones.id} = asked.value ->> 0`,
    sql`+${phones.sellerId} = ${seller.id}`,
    inArray(phones.status, freeStatuses),
    isShown(db),
    sql`${phones.sellingCents} = coalesce(asked.value ->> 1, ${phones.sellingCents})`,
    sql`${phones.sellingCents} <> asked.value ->> 2`,
  );
  const since = undoableSince();
  const isDoneBefore = and(
    gt(removals.id, firstIdAt(since)),
    eq(removals.kind, "prices"),
    eq(removals.actorId, seller.id),
    eq(removals.formKey, formKey ?? ""),
  );
  const changing = db
    .select({
      id: sql<string>`asked.value ->> 3`.as("id"),
      phoneId: sql<string>`${phones.id}`.as("phone_id"),
      oldCents: sql<number>`${phones.sellingCents}`.as("old_cents"),
      newCents: sql<number>`asked.value ->> 2`.as("new_cents"),
      createdAt: valueFor(priceChanges.createdAt, new Date()),
      removalId: valueFor(priceChanges.removalId, removalId),
    })
    .from(asked)
    .innerJoin(phones, isChanging);
  const ofRemoval = db
    .select({ phoneId: priceChanges.phoneId })
    .from(priceChanges)
    .where(eq(priceChanges.removalId, removalId));
  const refusal = await batchUnless(
    db,
    {
      "done before": formKey ? not(hasRow(db, removals, isDoneBefore)) : undefined,
      "nothing to change": exists(changing),
    },
    [
      addRemoval(db, seller, "prices", { id: removalId, targetId: seller.id, formKey }),
      db.insert(priceChanges).select(changing),
      queueEditedListings(db, inArray(phones.id, ofRemoval)),
      db
        .update(phones)
        .set({
          sellingCents: sql`(select ${priceChanges.newCents} from ${priceChanges}
            where ${priceChanges.removalId} = ${removalId} and ${priceChanges.phoneId} = ${phones.id})`,
        })
        .where(inArray(phones.id, ofRemoval)),
    ],
  );
  const [before] =
    refusal === "done before"
      ? await db
          .select({ id: removals.id })
          .from(removals)
          .where(isDoneBefore)
          .orderBy(desc(removals.id))
          .limit(1)
      : [];
  const done = before?.id ?? (refusal ? null : removalId);
  return { removalId: done, outcomes: await outcomesOf(db, seller, changes, done) };
}

async function outcomesOf(db: Db, seller: Viewer, changes: PriceChange[], removalId: string | null) {
  const [listings, changed] = await Promise.all([
    findPrices(
      db,
      seller,
      changes.map(({ id }) => id),
    ),
    db
      .select({ phoneId: priceChanges.phoneId })
      .from(priceChanges)
      .where(eq(priceChanges.removalId, removalId ?? "")),
  ]);
  const changedIds = new Set(changed.map(({ phoneId }) => phoneId));
  const outcome = ({ id, cents }: PriceChange): PriceOutcome => {
    if (changedIds.has(id)) return "changed";
    const listing = listings.find((listing) => listing.id === id);
    if (!listing) return "unknown listing";
    return listing.refusal ?? (listing.sellingCents === cents ? "same" : "stale");
  };
  return new Map(changes.map((change) => [change.id, outcome(change)]));
}

/**
 * Takes back the prices of one change, except where a device was booked or sold, or its price changed once more. Both changes
 * stay on record, so that nobody is told of a lower price twice. Hidden and deleted listings, which may come back, get
 * their old prices, too.
 */
export function restorePrices(db: Db, seller: Viewer, removal: Removal) {
  const newest = sql`(select max(later.id) from ${priceChanges} as later where later.phone_id = ${priceChanges.phoneId})`;
  const isRestorable = and(
    eq(priceChanges.removalId, removal.id),
    sql`${priceChanges.id} = ${newest}`,
    inArray(
      priceChanges.phoneId,
      db
        .select({ id: phones.id })
        .from(phones)
        .where(
          and(
            eq(phones.id, priceChanges.phoneId),
            eq(phones.sellerId, seller.id),
            // One sold elsewhere may come back, too.
            or(inArray(phones.status, freeStatuses), phones.soldElsewhere),
          ),
        ),
    ),
  );
  const restorable = db.select({ phoneId: priceChanges.phoneId }).from(priceChanges).where(isRestorable);
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(removal.id)),
      "nothing left": hasRow(db, priceChanges, isRestorable),
    },
    [
      queueEditedListings(db, inArray(phones.id, restorable)),
      db
        .update(phones)
        .set({
          sellingCents: sql`(select ${priceChanges.oldCents} from ${priceChanges}
            where ${priceChanges.removalId} = ${removal.id} and ${priceChanges.phoneId} = ${phones.id})`,
        })
        .where(inArray(phones.id, restorable)),
      db.insert(priceChanges).select(
        db
          .select({
            id: newId().as("id"),
            phoneId: sql<string>`${priceChanges.phoneId}`.as("phone_id"),
            oldCents: sql<number>`${priceChanges.newCents}`.as("old_cents"),
            newCents: sql<number>`${priceChanges.oldCents}`.as("new_cents"),
            createdAt: valueFor(priceChanges.createdAt, new Date()),
            removalId: valueFor(priceChanges.removalId, null),
          })
          .from(priceChanges)
          .where(isRestorable),
      ),
      markUndone(db, removal),
    ],
  );
}

/** Takes back the prices of one change of the seller. A repeated undo succeeds again. */
export async function undoPrices(
  db: Db,
  seller: Viewer,
  removalId: string,
): Promise<"undone" | "too late" | "impossible"> {
  const removal = await findUndoable(db, seller, removalId);
  if (removal?.kind !== "prices") return "too late";
  if (removal.undoneAt) return "undone";
  if (!(await restorePrices(db, seller, { id: removalId, targetId: removal.targetId }))) return "undone";
  // A concurrent undo may have succeeded.
  return (await findUndoable(db, seller, removalId))?.undoneAt ? "undone" : "impossible";
}
