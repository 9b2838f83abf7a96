import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { keptStatements, type Places } from "#app/db/kept-statements.ts";
import { bookings, orderSteps, phones, users } from "#app/db/schema.ts";
import { type Claimant, type ClaimantNames, claimantFor, isClaimant } from "../accounts/claimant.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { BookingRequest } from "./booking.schema.ts";
import { stepRecord } from "./order-steps.server.ts";

/** Why a booking did not come about. */
export type Refusal =
  | "already yours"
  | "own phone"
  | "just reserved"
  | "sold"
  | "unknown phone"
  | "none available"
  | "nobody signed in";

/** How a booking went. */
export type BookingOutcome = { orderId: string; refusal?: undefined } | { refusal: Refusal };

/** Any phone that is like this; the price in cents. */
export interface Likeness {
  /** Brand and model, joined by a space. */
  productName: string;
  ram: string;
  rom: string;
  priceCents: number;
}

/**
 * Reserves a phone for a buyer. Of any number of buyers who want one phone at once exactly one gets it.
 * What the order says of phone and price comes from the listing, of the buyer from their account.
 * The same request for the same phone repeated (a double click, a reload) books once and is confirmed again.
 * Of several phones like the one wanted, the one that has been offered longest is taken.
 *
 * @param wanted the phone's id, or what it should be like
 * @param formKey names the call; the same call made again makes no second order
 */
export async function bookPhone(
  db: Db,
  buyer: Viewer | Claimant,
  wanted: string | Likeness,
  { address, phone }: BookingRequest,
  formKey: string | null = null,
): Promise<BookingOutcome> {
  const id = timeOrderedId();
  const claimant = "names" in buyer ? buyer : claimantFor(db, buyer);
  const order = { id, stepId: timeOrderedId(), address, phone, formKey, ...claimant.names };
  const reserve =
    typeof wanted === "string"
      ? reserveThis(db, { ...order, phoneId: wanted })
      : reserveOneLike(db, { ...order, ...wanted });
  const [ordered] = await claimant.batch(reserve);
  if (ordered.length > 0) return { orderId: id };
  const viewer = await claimant.viewer();
  if (!viewer) return { refusal: "nobody signed in" };
  const first = formKey && (await findOrder(db, viewer, formKey));
  if (first) return { orderId: first.id };
  if (typeof wanted !== "string") return { refusal: "none available" };
  return whyNot(db, viewer, wanted, { address, phone });
}

/** An order to be, and who orders. */
type Order = ClaimantNames & {
  id: string;
  stepId: string;
  address: string;
  phone: string;
  formKey: string | null;
};

const reserveThis = keptStatements((db, own: Places<Order & { phoneId: string }>) =>
  reserving(db, own, eq(phones.id, own.phoneId)),
);

const reserveOneLike = keptStatements((db, own: Places<Order & Likeness>) => {
  const isAlike = sql`(${phones.brandName} || ' ' || ${phones.model} = ${own.productName}
    and ${eq(phones.ram, own.ram)} and ${eq(phones.rom, own.rom)} and ${eq(phones.sellingCents, own.priceCents)})`;
  return reserving(db, own, isAlike);
});

/**
 * One transaction: the order is written only while a phone that is wanted is available, and the phone is claimed only
 * for that order. The unique index on active orders has the last word.
 */
function reserving(db: Db, own: Places<Order>, isWanted: SQL) {
  const order = db
    .select({
      id: sql<string>`${own.id}`.as("id"),
      phoneId: phones.id,
      buyerId: users.id,
      productName: sql<string>`${phones.brandName} || ' ' || ${phones.model}`.as("product_name"),
      ram: phones.ram,
      rom: phones.rom,
      buyerName: users.name,
      buyerAddress: sql<string>`${own.address}`.as("buyer_address"),
      email: users.email,
      phone: sql<string>`${own.phone}`.as("phone"),
      priceCents: phones.sellingCents,
      status: sql<"active">`'active'`.as("status"),
      createdAt: sql<Date>`${own.now}`.as("created_at"),
      removalId: sql<null>`null`.as("removal_id"),
      formKey: sql<string | null>`${own.formKey}`.as("form_key"),
      stage: sql<"reserved">`'reserved'`.as("stage"),
    })
    .from(phones)
    // As they are at this moment: the account may have ended since the request came in.
    .innerJoin(users, isClaimant(db, own))
    .where(
      and(isWanted, eq(phones.status, "available"), isNull(phones.removalId), ne(phones.sellerId, users.id)),
    )
    .orderBy(phones.id)
    .limit(1);
  const isIt = eq(bookings.id, own.id);
  const step = stepRecord(bookings.buyerId, "reserved", bookings.id, own.stepId, own.now);
  return [
    db.insert(bookings).select(order).onConflictDoNothing().returning({ id: bookings.id }),
    db
      .update(phones)
      .set({ status: "reserved" })
      .where(inArray(phones.id, db.select({ id: bookings.phoneId }).from(bookings).where(isIt))),
    db.insert(orderSteps).select(db.select(step).from(bookings).where(isIt)),
  ] as const;
}

/** The order that a call has made. */
async function findOrder(db: Db, buyer: Viewer, formKey: string) {
  const [order] = await db
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(eq(bookings.buyerId, buyer.id), eq(bookings.formKey, formKey)));
  return order;
}

/** Finds out what stood in a booking's way. */
async function whyNot(
  db: Db,
  buyer: Viewer,
  phoneId: string,
  request: BookingRequest,
): Promise<BookingOutcome> {
  const { phone, order } = await standingOf(db, phoneId);
  if (!phone) return { refusal: "unknown phone" };
  if (phone.sellerId === buyer.id) return { refusal: "own phone" };
  if (order?.buyerId !== buyer.id) return { refusal: takenAs(phone.status) };
  const same = order.address === request.address && order.phone === request.phone;
  return same ? { orderId: order.id } : { refusal: "already yours" };
}

/** What would stand in the way of booking a phone at this moment; null when nothing does. */
export async function foreseeRefusal(db: Db, buyer: Viewer, phoneId: string): Promise<Refusal | null> {
  const { phone, order } = await standingOf(db, phoneId);
  if (!phone) return "unknown phone";
  if (phone.sellerId === buyer.id) return "own phone";
  if (phone.status === "available") return null;
  return order?.buyerId === buyer.id ? "already yours" : takenAs(phone.status);
}

/** What is said of a phone that somebody else has. */
function takenAs(status: typeof phones.$inferSelect.status): Refusal {
  return status === "sold" ? "sold" : "just reserved";
}

/** Whose a phone is, and its active order if it has one. */
async function standingOf(db: Db, phoneId: string) {
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
