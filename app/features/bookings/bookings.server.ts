import { and, eq, exists, isNull, ne, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { bookings, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { BookingRequest } from "./booking.schema.ts";

/** Why a booking did or did not come about. */
export type BookingOutcome = "booked" | "already yours" | "own phone" | "just reserved" | "unknown phone";

/**
 * Reserves a phone for a buyer. Of any number of buyers who want one phone at once exactly one is "booked".
 * What the order says of phone and price comes from the listing, of the buyer from their account.
 * The same request repeated (a double click, a reload) books once and is "booked" again.
 */
export async function bookPhone(
  db: Db,
  buyer: Viewer,
  phoneId: string,
  { address, phone }: BookingRequest,
): Promise<BookingOutcome> {
  const id = timeOrderedId();
  // One transaction: the order is written only while the phone is available, and the phone is claimed only
  // for that order. The unique index on active orders has the last word.
  const [ordered] = await db.batch([
    db
      .insert(bookings)
      .select(
        db
          .select({
            id: sql<string>`${id}`.as("id"),
            phoneId: phones.id,
            buyerId: sql<string>`${buyer.id}`.as("buyer_id"),
            productName: sql<string>`${phones.brandName} || ' ' || ${phones.model}`.as("product_name"),
            ram: phones.ram,
            rom: phones.rom,
            buyerName: sql<string>`${buyer.name}`.as("buyer_name"),
            buyerAddress: sql<string>`${address}`.as("buyer_address"),
            email: sql<string>`${buyer.email}`.as("email"),
            phone: sql<string>`${phone}`.as("phone"),
            priceCents: phones.sellingCents,
            status: sql<"active">`'active'`.as("status"),
            createdAt: sql<Date>`${Date.now()}`.as("created_at"),
            removalId: sql<null>`null`.as("removal_id"),
          })
          .from(phones)
          .where(
            and(
              eq(phones.id, phoneId),
              eq(phones.status, "available"),
              isNull(phones.removalId),
              ne(phones.sellerId, buyer.id),
            ),
          ),
      )
      .onConflictDoNothing()
      .returning({ id: bookings.id }),
    db
      .update(phones)
      .set({ status: "reserved" })
      .where(
        and(
          eq(phones.id, phoneId),
          exists(db.select({ one: sql`1` }).from(bookings).where(eq(bookings.id, id))),
        ),
      ),
  ]);
  return ordered.length > 0 ? "booked" : whyNot(db, buyer, phoneId, { address, phone });
}

/** Finds out what stood in a booking's way. */
async function whyNot(
  db: Db,
  buyer: Viewer,
  phoneId: string,
  request: BookingRequest,
): Promise<BookingOutcome> {
  const { phone, order } = await standingOf(db, phoneId);
  if (!phone) return "unknown phone";
  if (phone.sellerId === buyer.id) return "own phone";
  if (order?.buyerId !== buyer.id) return "just reserved";
  const same = order.address === request.address && order.phone === request.phone;
  return same ? "booked" : "already yours";
}

/** What would stand in the way of booking a phone at this moment; null when nothing does. */
export async function foreseeRefusal(
  db: Db,
  buyer: Viewer,
  phoneId: string,
): Promise<Exclude<BookingOutcome, "booked"> | null> {
  const { phone, order } = await standingOf(db, phoneId);
  if (!phone) return "unknown phone";
  if (phone.sellerId === buyer.id) return "own phone";
  if (phone.status === "available") return null;
  return order?.buyerId === buyer.id ? "already yours" : "just reserved";
}

/** Whose a phone is, and its active order if it has one. */
async function standingOf(db: Db, phoneId: string) {
  const [[phone], [order]] = await db.batch([
    db
      .select({ sellerId: phones.sellerId, status: phones.status })
      .from(phones)
      .where(and(eq(phones.id, phoneId), isNull(phones.removalId))),
    db
      .select({ buyerId: bookings.buyerId, address: bookings.buyerAddress, phone: bookings.phone })
      .from(bookings)
      .where(and(eq(bookings.phoneId, phoneId), eq(bookings.status, "active"))),
  ]);
  return { phone, order };
}
