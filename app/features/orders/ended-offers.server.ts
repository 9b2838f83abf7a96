import { and, eq, gt, inArray, isNull, lt, ne, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, newId } from "#app/db/conditions.server.ts";
import { freeStatuses } from "#app/db/enums.ts";
import { notifications, offers, phones, users } from "#app/db/schema.ts";
import { offerTerms } from "#app/market.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { hasAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { isReturned, undoableSince } from "../audit/removals.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { isBlockBetween } from "../messages/message-refusals.server.ts";
import { offersPath } from "./offer.rules.ts";
import { canBecomeBooking, isInTime, isOfferParty, otherSideId } from "./offers.server.ts";

/** Notifications of one run; the next run continues. */
const maxNotified = 1000;

/** When the offers were made that may be open. */
const openSince = (now: Date) =>
  gt(
    offers.id,
    firstIdAt(new Date(now.getTime() - (offerTerms.answerHours + offerTerms.bookingHours) * hourMs)),
  );

/** Condition on `offers`: the buyer was told that the listing was taken down. */
const isToldOfListing = (db: Db) =>
  hasRow(
    db,
    notifications,
    and(eq(notifications.userId, offers.buyerId), eq(notifications.event, listingGoneEvent)),
  );

/** Condition on `phones`: nobody has booked it. */
const isUnbooked = or(inArray(phones.status, freeStatuses), phones.soldElsewhere);

const listingGoneEvent = sql`'offer listing gone ' || ${offers.id}`;

/**
 * Notifies the buyers of open offers, once for each, that the listing was taken down, as soon as that can no longer be
 * undone. Why it was is for its seller alone.
 */
export async function notifyOfListingsGone(db: Db, now = new Date()): Promise<void> {
  await db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("offer listing gone", {
            id: newId(),
            userId: offers.buyerId,
            subject: deviceNameColumn,
            path: offersPath,
            event: listingGoneEvent,
          }),
        )
        .from(offers)
        .innerJoin(phones, and(eq(phones.id, offers.phoneId), isUnbooked))
        .where(
          and(
            openSince(now),
            or(
              and(ne(phones.status, "available"), isNull(phones.hiddenById)),
              and(
                lt(phones.hiddenById, firstIdAt(undoableSince(now))),
                // Not of what was gone long before an offer could count again.
                gt(phones.hiddenById, firstIdAt(new Date(now.getTime() - dayMs))),
              ),
            ),
            // Of the booking before, they know.
            not(isReturned(db)),
            canBecomeBooking(db, now),
            hasAccount(db, offers.sellerId),
            not(isToldOfListing(db)),
          ),
        )
        .limit(maxNotified),
    )
    .onConflictDoNothing();
}

/** Notifies the other sides of open offers, once for each, that one has left, as soon as that can no longer be undone. */
export async function notifyOfSidesGone(db: Db, now = new Date()): Promise<void> {
  const hasLeft = (side: SQLWrapper) =>
    hasRow(db, users, and(eq(users.id, side), lt(users.removalId, firstIdAt(undoableSince(now)))));
  const stays = sql<string>`iif(${hasLeft(offers.buyerId)}, ${offers.sellerId}, ${offers.buyerId})`;
  await notifyOfEnd(
    db,
    stays,
    and(
      openSince(now),
      isInTime(now),
      or(hasLeft(offers.buyerId), hasLeft(offers.sellerId)),
      hasAccount(db, stays),
      not(isBlockBetween(db, offers.buyerId, offers.sellerId)),
    ),
  );
}

/** A statement for the batch that closes an account, before it: notifies the other sides of its open offers. */
export function notifyOfLeaving(db: Db, { id }: Pick<Viewer, "id">) {
  const now = new Date();
  return notifyOfEnd(db, otherSideId(id), and(isOfferParty(id), openSince(now), canBecomeBooking(db, now)));
}

/** @param userId who is told */
function notifyOfEnd(db: Db, userId: SQL<string>, condition: SQL | undefined) {
  const event = sql`'offer ended ' || ${offers.id}`;
  return db
    .insert(notifications)
    .select(
      db
        .select(
          notificationValues("offer ended", {
            id: newId(),
            userId,
            subject: deviceNameColumn,
            path: offersPath,
            event,
          }),
        )
        .from(offers)
        .innerJoin(phones, and(eq(phones.id, offers.phoneId), eq(phones.status, "available")))
        .where(
          and(
            condition,
            // A seller knows what is not for sale.
            or(isNull(phones.hiddenById), eq(userId, offers.buyerId)),
            not(isReturned(db)),
            not(isToldOfListing(db)),
            not(
              hasRow(
                db,
                notifications,
                and(eq(notifications.userId, userId), eq(notifications.event, event)),
              ),
            ),
          ),
        )
        .limit(maxNotified),
    )
    .onConflictDoNothing();
}
