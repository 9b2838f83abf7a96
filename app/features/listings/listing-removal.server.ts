import { and, eq, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { freeStatuses } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { decisions, orderProblems, orderSteps, orders, phones, users } from "#app/db/schema.ts";
import { mayChangeListing } from "../accounts/account-access.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import {
  addRemoval,
  isReturned,
  markUndone,
  type Removal,
  type UndoHandler,
} from "../audit/removals.server.ts";
import { hiddenByModerators } from "./listing-tables.server.ts";
import { deviceNameColumn } from "./listings.server.ts";

/** The status of a listing whose order is cancelled: paused, if its seller has paused all since. */
export const freedStatus = () =>
  sql<"available" | "paused">`iif(${phones.pausedUntil} > ${Date.now()}, 'paused', 'available')`;

/** The removal or suspension of a phone's seller, for a condition on `phones`. */
export const removalOfSeller = sql`(select coalesce(${users.removalId}, ${users.suspensionId}) from ${users} where ${users.id} = ${phones.sellerId})`;

/** The decision that still hides a listing of its own, for a condition on `phones`; a suspension hides all of a seller. */
export const hidingDecision = sql`(select max(id) from ${decisions} where target_kind = 'listing' and target_id = ${phones.id}
  and kind in ('hide', 'hold') and ended_at is null)`;

/** Condition on `orders`: it has ended, and of these steps its seller has taken one since. */
const hasSinceEnd = (kinds: string) => sql`coalesce((select ${orderSteps.kind} from ${orderSteps}
  where ${orderSteps.orderId} = ${orders.id} and ${orderSteps.kind} in ('cancelled', 'returned', ${sql.raw(kinds)})
  order by ${orderSteps.id} desc limit 1) in (${sql.raw(kinds)}), 0)`;

/** Condition on `orders`: it has ended, and its seller has listed the device again since. */
const isListedAgain = hasSinceEnd("'listed again'");

/** Condition on `orders`: a problem has ended it so that its device, if the buyer has it, goes back to the seller. */
export function isEndedByReturn(db: Db) {
  const isEnding = and(
    eq(orderProblems.orderId, orders.id),
    eq(orderProblems.state, "returned"),
    ne(orderProblems.kind, "not arrived"),
  );
  return and(
    eq(orders.status, "cancelled"),
    ne(orders.stage, "reserved"),
    hasRow(db, orderProblems, isEnding),
  );
}

/** Condition on `orders`: it has ended, and its seller has the device back: they say so, or have listed it again. */
export const isDeviceBack = hasSinceEnd("'listed again', 'given back'");

/**
 * The order that ended by a problem, or after its handover, so that the device comes back to its seller, until it is
 * listed again; for a condition on `phones`. What a bank’s dispute ends before the handover is for sale again at once.
 */
export const returnedOrderId = sql`(select max(${orders.id}) from ${orders}
  where ${orders.phoneId} = ${phones.id} and ${orders.status} = 'cancelled' and (${orders.stage} <> 'reserved'
    or exists (select 1 from ${orderProblems} where ${orderProblems.orderId} = ${orders.id}
      and ${orderProblems.state} = 'returned' and ${orderProblems.kind} <> 'bank dispute'))
  and not ${isListedAgain})`;

/** What still hides a listing whose removal is undone, for a condition on `phones`; null if nothing does. */
export const stillHiddenBy = sql`coalesce(${hidingDecision}, ${removalOfSeller}, ${returnedOrderId})`;

/** Condition on `phones`: nobody else lists a device with its IMEI. What is sold elsewhere has another owner. */
export const holdsImei = ({
  hiddenById,
  soldElsewhere,
}: Record<"hiddenById" | "soldElsewhere", SQLiteColumn>) => and(isNull(hiddenById), eq(soldElsewhere, false));

/** Of `phones`, by its own name or another. */
export type ListingColumns = Record<"id" | "sellerId" | "hiddenById" | "soldElsewhere", SQLiteColumn>;

/**
 * The IMEI hash of a restored listing: null if the device has been listed again since, because it must be unique.
 *
 * @param isRestoredToo condition on what the same statement restores beside it, of which the first gets it
 */
export function imeiIfStillFree(db: Db, isRestoredToo?: (other: ListingColumns) => SQL | undefined) {
  const other = alias(phones, "other");
  const isBefore = isRestoredToo && and(isRestoredToo(other), lt(other.id, phones.id));
  const listedAgain = hasRow(
    db,
    other,
    and(eq(other.imeiHash, phones.imeiHash), or(holdsImei(other), isBefore), ne(other.id, phones.id)),
  );
  return sql<string | null>`iif(${listedAgain}, null, ${phones.imeiHash})`;
}

/** What else has to hold in the batch of a change, and what it records: a row of an import is applied once. */
export interface ImportStep {
  isDue: SQL | undefined;
  /** Of the undo: nobody counts on the new listing, and its seller has not changed it. */
  isUncounted?: SQL | undefined;
  isUnchanged?: SQL | undefined;
  record(phoneId: string): BatchItem<"sqlite"> & PromiseLike<unknown>;
}

/** Why a listing is not removed. */
export const removalRefusals = {
  "not found": "We can’t find this listing. Maybe it’s already deleted.",
  reserved: "This device is reserved, so you can’t delete it.",
  saved: "Somebody has saved this listing.",
  "not due": "This import is over.",
  "changed since": "This listing has changed since.",
};

/**
 * Removes a listing: administrators may remove any visible one, sellers their own, hidden ones too.
 *
 * @param formKey idempotency key of a bulk action
 * @param step of the undo of an import, which keeps sold ones, those that somebody counts on, and changed ones
 * @returns the removal's id, to undo it
 */
export async function removeListing(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  { formKey = null, step }: { formKey?: string | null; step?: ImportStep } = {},
): Promise<{ refusal: keyof typeof removalRefusals | null; removalId?: string }> {
  const removalId = timeOrderedId();
  const listing = eq(phones.id, phoneId);
  const isFree = inArray(phones.status, freeStatuses);
  const mayRemove = or(
    and(isNull(phones.hiddenById), mayChangeListing(viewer)),
    and(or(hiddenByModerators(db), isReturned(db)), eq(phones.sellerId, viewer.id)),
  );
  const ofOthers = and(listing, ne(phones.sellerId, viewer.id));
  const refusal = await batchUnless<keyof typeof removalRefusals>(
    db,
    {
      "not due": step?.isDue,
      "not found": hasRow(db, phones, and(listing, mayRemove)),
      reserved: hasRow(db, phones, and(listing, step ? isFree : ne(phones.status, "reserved"))),
      saved: step?.isUncounted,
      "changed since": step?.isUnchanged,
    },
    [
      addRemoval(db, viewer, "phone", { id: removalId, targetId: phoneId, formKey }),
      db.update(phones).set({ hiddenById: removalId }).where(listing),
      addActivityOf(db, viewer, "deleted listing", phones, deviceNameColumn, ofOthers, removalId),
      ...(step ? [step.record(phoneId)] : []),
    ],
  );
  return refusal ? { refusal } : { refusal, removalId };
}

export const listingUndo: UndoHandler = {
  undo: restoreListing,
  isUndone: async (db, id) =>
    (await db.$count(phones, and(eq(phones.id, id), or(isNull(phones.hiddenById), isReturned(db))))) > 0,
  texts: {
    undone: "Post Restored",
    many: "listings restored",
    impossible: "We can’t restore this post: its seller is gone.",
  },
};

/**
 * Restores a removed listing, unless its seller has been removed too. It stays hidden while the seller is suspended or a
 * decision hides it, or if it was returned and not listed again.
 */
function restoreListing(db: Db, actor: Viewer, removal: Removal) {
  const listing = eq(phones.id, removal.targetId);
  const hasSeller = hasRow(db, users, and(eq(users.id, phones.sellerId), isNull(users.removalId)));
  const isRemoved = and(listing, eq(phones.hiddenById, removal.id), hasSeller);
  const ofOthers = and(listing, ne(phones.sellerId, actor.id));
  return batchUnless(db, { refused: hasRow(db, phones, isRemoved) }, [
    db
      .update(phones)
      .set({
        hiddenById: stillHiddenBy,
        imeiHash: imeiIfStillFree(db),
      })
      .where(listing),
    addActivityOf(db, actor, "undid deletion", phones, deviceNameColumn, ofOthers),
    markUndone(db, removal),
  ]);
}
