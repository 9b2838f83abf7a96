import { and, desc, eq, exists, inArray, isNull, lt, ne, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { pageSlice, type Slice, tablePage } from "#app/db/page.ts";
import { activity, bookings, phones, removals, users } from "#app/db/schema.ts";
import { actRecord } from "../accounts/activity.server.ts";
import { removalExists, removalRecord, stillRemoved } from "../accounts/removals.server.ts";
import type { Viewer } from "../accounts/viewer.ts";

const orderColumns = {
  id: bookings.id,
  buyerName: bookings.buyerName,
  productName: bookings.productName,
  ram: bookings.ram,
  rom: bookings.rom,
  priceCents: bookings.priceCents,
};

/** An order as its buyer's list shows it; price in cents. */
export type Order = Awaited<ReturnType<typeof listOrders>>["rows"][number];

/** A page of a buyer's own active orders, newest first; an administrator sees everyone's. */
export async function listOrders(db: Db, viewer: Viewer, page: number) {
  const { limit, offset } = pageSlice(page);
  const theirs = and(eq(bookings.status, "active"), ownUnlessAdmin(viewer));
  const [rows, count] = await db.batch([
    db
      .select(orderColumns)
      .from(bookings)
      .where(theirs)
      .orderBy(desc(bookings.id))
      .limit(limit)
      .offset(offset),
    db.select({ count: sql<number>`count(*)` }).from(bookings).where(theirs),
  ]);
  return tablePage(rows, page, count[0]?.count ?? 0);
}

/** An order with everything it says; price in cents. */
export type OrderRecord = Awaited<ReturnType<typeof ordersAfter>>[number];

/** A stretch of one buyer's active orders, newest first, with everything they say. */
export function ordersAfter(db: Db, buyerId: string, { after, limit }: Slice) {
  return db
    .select({
      ...orderColumns,
      phoneId: bookings.phoneId,
      buyerAddress: bookings.buyerAddress,
      email: bookings.email,
      phone: bookings.phone,
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.buyerId, buyerId),
        eq(bookings.status, "active"),
        after ? lt(bookings.id, after) : undefined,
      ),
    )
    .orderBy(desc(bookings.id))
    .limit(limit);
}

/**
 * Cancels a buyer's own order, or any order for an administrator, and frees its phone, in one batch. A phone
 * whose seller has been removed meanwhile goes the way of the seller's other phones.
 *
 * @returns the removal's id, for undoing it, or null when there is no such active order of theirs
 */
export async function cancelOrder(db: Db, viewer: Viewer, orderId: string): Promise<string | null> {
  const removalId = timeOrderedId();
  const [removed] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalRecord(removalId, viewer, "order", bookings.id))
          .from(bookings)
          .where(and(eq(bookings.id, orderId), eq(bookings.status, "active"), ownUnlessAdmin(viewer))),
      )
      .returning({ id: removals.id }),
    db
      .update(bookings)
      .set({ status: "cancelled", removalId })
      .where(and(eq(bookings.id, orderId), removalExists(db, removalId))),
    db
      .update(phones)
      .set({
        status: "available",
        removalId: removalOfSeller,
      })
      .where(and(eq(phones.status, "reserved"), inArray(phones.id, phoneOfCancelled(db, removalId)))),
    db.insert(activity).select(
      db
        .select(actRecord(viewer, "deleted order", bookings.id, bookings.productName))
        .from(bookings)
        .where(and(eq(bookings.removalId, removalId), ne(bookings.buyerId, viewer.id))),
    ),
  ]);
  return removed[0]?.id ?? null;
}

/**
 * Puts a cancelled order back and reserves its phone again.
 *
 * @returns whether it is back; not when the phone has been booked or removed, or the buyer removed, since
 */
export async function restoreOrder(db: Db, actor: Viewer, removalId: string): Promise<boolean> {
  const phoneOfBuyerStillHere = db
    .select({ id: bookings.phoneId })
    .from(bookings)
    .innerJoin(users, eq(users.id, bookings.buyerId))
    .where(and(eq(bookings.removalId, removalId), isNull(users.removalId)));
  const phoneIsReservedAgain = exists(
    db
      .select({ one: sql`1` })
      .from(phones)
      .where(and(eq(phones.id, bookings.phoneId), eq(phones.status, "reserved"))),
  );
  const orderIsBack = exists(
    db
      .select({ one: sql`1` })
      .from(bookings)
      .where(and(eq(bookings.id, removals.targetId), eq(bookings.status, "active"))),
  );
  const [, restored] = await db.batch([
    db
      .update(phones)
      .set({ status: "reserved", removalId: null })
      .where(
        and(
          eq(phones.status, "available"),
          // With its seller gone the phone went too, but an order keeps it.
          or(isNull(phones.removalId), eq(phones.removalId, removalOfSeller)),
          inArray(phones.id, phoneOfBuyerStillHere),
        ),
      ),
    db
      .update(bookings)
      .set({ status: "active", removalId: null })
      .where(and(eq(bookings.removalId, removalId), phoneIsReservedAgain, notExists(otherActiveOrder(db))))
      .returning({ id: bookings.id }),
    db.insert(activity).select(
      db
        .select(actRecord(actor, "undid deletion", bookings.id, bookings.productName))
        .from(removals)
        .innerJoin(bookings, eq(bookings.id, removals.targetId))
        .where(and(stillRemoved(removalId), eq(bookings.status, "active"), ne(bookings.buyerId, actor.id))),
    ),
    db
      .update(removals)
      .set({ undoneAt: new Date() })
      .where(and(stillRemoved(removalId), orderIsBack)),
  ]);
  return restored.length > 0;
}

const removalOfSeller = sql`(select ${users.removalId} from ${users} where ${users.id} = ${phones.sellerId})`;

function ownUnlessAdmin(viewer: Viewer) {
  return viewer.userType === "Admin" ? undefined : eq(bookings.buyerId, viewer.id);
}

/** The phone of the order that a removal has cancelled. */
function phoneOfCancelled(db: Db, removalId: string) {
  return db.select({ id: bookings.phoneId }).from(bookings).where(eq(bookings.removalId, removalId));
}

/** Another active order of the same phone, for a condition on `bookings`. */
function otherActiveOrder(db: Db) {
  const other = alias(bookings, "other");
  return db
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.phoneId, bookings.phoneId), eq(other.status, "active")));
}
