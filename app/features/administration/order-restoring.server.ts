import { and, eq, exists, inArray, isNull, ne, not, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { activity, bookings, orderSteps, phones, removals, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { imeiIfStillFree, stillRemoved } from "../audit/removals.server.ts";
import { removalOfSeller } from "../listings/listing-removal.server.ts";
import { isBelowLimit, type ReservationLimits } from "../orders/bookings.server.ts";
import { notifySide } from "../orders/order-notifications.server.ts";
import { isSeller, stepValues } from "../orders/order-steps.server.ts";

/**
 * Restores a cancelled order and reserves its phone again; false if phone or buyer are no longer available, or if it
 * would give the buyer, who cancelled it, more reservations than the limits allow.
 */
export async function restoreOrder(
  db: Db,
  actor: Viewer,
  removalId: string,
  limits?: ReservationLimits,
): Promise<boolean> {
  const isWithinLimit = limits && or(ne(bookings.buyerId, actor.id), isBelowLimit(db, limits));
  const phoneOfActiveBuyer = db
    .select({ id: bookings.phoneId })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.buyerId))
    .where(and(eq(bookings.removalId, removalId), isNull(users.removalId), isWithinLimit));
  const phoneIsReservedAgain = exists(
    db
      .select({ one: sql`1` })
      .from(phones)
      .where(and(eq(phones.id, bookings.phoneId), eq(phones.status, "reserved"))),
  );
  const orderIsActive = exists(
    db
      .select({ one: sql`1` })
      .from(bookings)
      .where(and(eq(bookings.id, removals.targetId), eq(bookings.status, "active"))),
  );
  const isReinstated = exists(
    db
      .select({ one: sql`1` })
      .from(removals)
      .where(and(stillRemoved(removalId), eq(removals.targetId, bookings.id), eq(bookings.status, "active"))),
  );
  const notification = { order: isReinstated, event: `reinstated ${removalId}`, actorId: actor.id };
  const [, restored] = await db.batch([
    db
      .update(phones)
      .set({ status: "reserved", removalId: null, imeiHash: imeiIfStillFree(db) })
      .where(
        and(
          eq(phones.status, "available"),
          // A phone that was removed with its seller comes back for its order.
          or(isNull(phones.removalId), eq(phones.removalId, removalOfSeller)),
          inArray(phones.id, phoneOfActiveBuyer),
        ),
      ),
    db
      .update(bookings)
      .set({ status: "active", removalId: null })
      .where(and(eq(bookings.removalId, removalId), phoneIsReservedAgain, notExists(otherActiveOrder(db))))
      .returning({ id: bookings.id }),
    db.insert(orderSteps).select(
      db
        .select(stepValues(actor.id, "reinstated", bookings.id))
        .from(removals)
        .innerJoin(bookings, eq(bookings.id, removals.targetId))
        .where(and(stillRemoved(removalId), eq(bookings.status, "active"))),
    ),
    db.insert(activity).select(
      db
        .select(activityValues(actor, "undid deletion", bookings.id, bookings.productName))
        .from(removals)
        .innerJoin(bookings, eq(bookings.id, removals.targetId))
        .where(
          and(
            stillRemoved(removalId),
            eq(bookings.status, "active"),
            ne(bookings.buyerId, actor.id),
            not(isSeller(db, actor)),
          ),
        ),
    ),
    notifySide(db, "buyer", "reinstated", notification),
    notifySide(db, "seller", "reinstated", notification),
    db
      .update(removals)
      .set({ undoneAt: new Date() })
      .where(and(stillRemoved(removalId), orderIsActive)),
  ]);
  return restored.length > 0;
}

/** Another active order of the same phone, for a condition on `bookings`. */
function otherActiveOrder(db: Db) {
  const other = alias(bookings, "other");
  return db
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.phoneId, bookings.phoneId), eq(other.status, "active")));
}
