import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, phones, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import type { BookingDetails, PhoneDescription } from "./booking.schema.ts";
import { notifySide } from "./order-notifications.server.ts";
import { stepValues } from "./order-steps.server.ts";

export type BookingRefusalReason =
  | "already yours"
  | "own phone"
  | "just reserved"
  | "reserved"
  | "sold"
  | "unknown phone"
  | "none available";

export type BookingOutcome =
  | { orderId: string; refusal?: undefined }
  | { orderId?: undefined; refusal: BookingRefusalReason };

/**
 * Reserves a phone for a buyer. Of concurrent buyers exactly one succeeds; a repeated request makes no second order.
 *
 * @param wanted the phone's id, or a description: then the oldest matching listing is booked
 * @param formKey idempotency key of the request
 */
export async function bookPhone(
  db: Db,
  buyer: Viewer,
  wanted: string | PhoneDescription,
  details: BookingDetails,
  formKey: string | null = null,
): Promise<BookingOutcome> {
  const id = timeOrderedId();
  const [ordered] = await db.batch(placeOrder(db, { ...details, id, buyerId: buyer.id, wanted, formKey }));
  if (ordered.length > 0) return { orderId: id };
  const first = formKey && (await findOrder(db, buyer, formKey));
  if (first) return { orderId: first.id };
  if (typeof wanted !== "string") return { refusal: "none available" };
  return repeatedOrRefused(db, buyer, wanted, details);
}

type NewOrder = BookingDetails & {
  id: string;
  buyerId: string;
  wanted: string | PhoneDescription;
  formKey: string | null;
};

/**
 * The statements of one batch: each takes effect only if the order was inserted. The unique index on active orders
 * decides between concurrent buyers.
 */
function placeOrder(db: Db, { id, buyerId, wanted, address, phone, formKey }: NewOrder) {
  const order = db
    .select({
      id: sql<string>`${id}`.as("id"),
      phoneId: phones.id,
      buyerId: users.id,
      productName: deviceNameColumn.as("product_name"),
      ram: phones.ram,
      rom: phones.rom,
      buyerName: users.name,
      buyerAddress: sql<string>`${address}`.as("buyer_address"),
      email: users.email,
      phone: sql<string>`${phone}`.as("phone"),
      priceCents: phones.sellingCents,
      status: sql<"active">`'active'`.as("status"),
      createdAt: sql<Date>`${Date.now()}`.as("created_at"),
      removalId: sql<null>`null`.as("removal_id"),
      formKey: sql<string | null>`${formKey}`.as("form_key"),
      stage: sql<"reserved">`'reserved'`.as("stage"),
    })
    .from(phones)
    .innerJoin(users, and(eq(users.id, buyerId), isNull(users.removalId)))
    .where(
      and(
        matches(wanted),
        eq(phones.status, "available"),
        isNull(phones.removalId),
        ne(phones.sellerId, users.id),
      ),
    )
    .orderBy(phones.id)
    .limit(1);
  const isOrder = eq(bookings.id, id);
  return [
    db.insert(bookings).select(order).onConflictDoNothing().returning({ id: bookings.id }),
    db
      .update(phones)
      .set({ status: "reserved" })
      .where(inArray(phones.id, db.select({ id: bookings.phoneId }).from(bookings).where(isOrder))),
    db.insert(orderSteps).select(
      db
        .select(stepValues(bookings.buyerId, "reserved", bookings.id))
        .from(bookings)
        .where(isOrder),
    ),
    notifySide(db, "buyer", "order placed", { order: isOrder, event: `order placed ${id}` }),
    notifySide(db, "seller", "booked", { order: isOrder, event: `booked ${id}` }),
  ] as const;
}

function matches(wanted: string | PhoneDescription): SQL | undefined {
  if (typeof wanted === "string") return eq(phones.id, wanted);
  return and(
    eq(deviceNameColumn, wanted.productName),
    eq(phones.ram, wanted.ram),
    eq(phones.rom, wanted.rom),
    eq(phones.sellingCents, wanted.priceCents),
  );
}

/** The order that an earlier request with the same idempotency key made. */
async function findOrder(db: Db, buyer: Viewer, formKey: string) {
  const [order] = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(eq(bookings.buyerId, buyer.id), eq(bookings.formKey, formKey)));
  return order;
}

/** The order of an earlier identical request, or why the booking failed. */
async function repeatedOrRefused(
  db: Db,
  buyer: Viewer,
  phoneId: string,
  details: BookingDetails,
): Promise<BookingOutcome> {
  const { phone, order } = await findPhoneAndOrder(db, phoneId);
  if (!phone) return { refusal: "unknown phone" };
  if (phone.sellerId === buyer.id) return { refusal: "own phone" };
  if (order?.buyerId !== buyer.id) return { refusal: refusalForStatus(phone.status) };
  const same = order.address === details.address && order.phone === details.phone;
  return same ? { orderId: order.id } : { refusal: "already yours" };
}

/** Why the buyer cannot book a phone now, with their order of it if that is the reason; null if they can. */
export async function findBookingRefusal(
  db: Db,
  buyer: Viewer,
  phoneId: string,
): Promise<{ reason: BookingRefusalReason; orderId?: string } | null> {
  const { phone, order } = await findPhoneAndOrder(db, phoneId);
  if (!phone) return { reason: "unknown phone" };
  if (phone.sellerId === buyer.id) return { reason: "own phone" };
  if (phone.status === "available") return null;
  if (order?.buyerId !== buyer.id) return { reason: phone.status === "sold" ? "sold" : "reserved" };
  return { reason: "already yours", orderId: order.id };
}

/** The id of the buyer's active order of a phone; null if there is none. */
export async function findActiveOrderId(db: Db, buyer: Viewer, phoneId: string): Promise<string | null> {
  const [order] = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(eq(bookings.phoneId, phoneId), eq(bookings.buyerId, buyer.id), eq(bookings.status, "active")));
  return order?.id ?? null;
}

function refusalForStatus(status: typeof phones.$inferSelect.status): BookingRefusalReason {
  return status === "sold" ? "sold" : "just reserved";
}

async function findPhoneAndOrder(db: Db, phoneId: string) {
  const [[phone], [order]] = await db.batch([
    db
      .select({ sellerId: phones.sellerId, status: phones.status })
      .from(phones)
      .where(and(eq(phones.id, phoneId), isNull(phones.removalId))),
    db
      .select({
        id: bookings.id,
        buyerId: bookings.buyerId,
        address: bookings.buyerAddress,
        phone: bookings.phone,
      })
      .from(bookings)
      .where(and(eq(bookings.phoneId, phoneId), eq(bookings.status, "active"))),
  ]);
  return { phone, order };
}
