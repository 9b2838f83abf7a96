import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { offerAnswers, offerSides, orderStages, orderStepKinds } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, removalId, timestamp } from "./columns.ts";

export const orders = sqliteTable(
  "orders",
  {
    id: id(),
    // No foreign keys: an order stays readable after its listing or an account is removed.
    phoneId: text("phone_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    productName: text("product_name").notNull(),
    ram: text("ram").notNull(),
    rom: text("rom").notNull(),
    buyerName: text("buyer_name").notNull(),
    buyerAddress: text("buyer_address").notNull(),
    email: text("email").notNull(),
    phoneNumber: text("phone").notNull(),
    priceCents: integer("price_cents").notNull(),
    status: text("status", { enum: ["active", "cancelled"] })
      .notNull()
      .default("active"),
    createdAt: createdAt(),
    removalId: removalId(),
    /** Idempotency key of the request that created it. */
    formKey: text("form_key"),
    /** A cancelled order keeps its last stage. */
    stage: text("stage", { enum: orderStages }).notNull().default("reserved"),
    /** Who delivers a device that was shipped; null before the handover and after one in person. */
    parcelService: text("parcel_service"),
    trackingNumber: text("tracking_number"),
    /** When the stage ends by itself. A cancelled order keeps it, in case it is reinstated. */
    deadlineAt: timestamp("deadline_at"),
    /** When the side that has to act is reminded; null after that. */
    reminderAt: timestamp("reminder_at"),
    /** When the stage before would have ended, in case its end is undone. */
    previousDeadlineAt: timestamp("previous_deadline_at"),
    /** Since when it is on hold, so that its deadlines stand still; null while it goes on. */
    heldSince: timestamp("held_since"),
    /** The seller: a copy, for the index of what each has to hand over. `seller_id` would be ambiguous beside listings. */
    soldById: text("sold_by_id"),
  },
  (table) => [
    uniqueIndex("orders_form_key").on(table.buyerId, table.formKey),
    // Prevents two active orders of one phone.
    uniqueIndex("orders_one_active_per_phone").on(table.phoneId).where(sql`${table.status} = 'active'`),
    index("orders_buyer").on(table.buyerId, table.id),
    // Of a seller, the newest first.
    index("orders_sold_by").on(table.soldById, table.id),
    // All orders of a phone, also the cancelled ones.
    index("orders_phone").on(table.phoneId, table.id),
    index("orders_price").on(table.priceCents, table.id),
    // The index of order numbers, which are the ends of ids, is in migrations/0001_triggers.sql, and that of what a seller has
    // to hand over in migrations/0025_to_hand_over_by_seller.sql.
    index("orders_deadline").on(table.deadlineAt).where(sql`${table.status} = 'active'`),
    index("orders_reminder").on(table.reminderAt).where(sql`${table.status} = 'active'`),
    index("orders_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
    // The sales of a model, newest first. Those of a storage: migrations/0001_triggers.sql.
    index("orders_sales")
      .on(sql`lower(${table.productName})`, table.id)
      .where(sql`${table.stage} = 'received'`),
  ],
);

export const orderSteps = sqliteTable(
  "order_steps",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    kind: text("kind", { enum: orderStepKinds }).notNull(),
    /** Empty for the system. */
    actorId: text("actor_id").notNull(),
    createdAt: createdAt(),
    /** Why an administrator cancelled after the handover, or had a suspended seller paid; both sides read it. */
    reason: text("reason"),
  },
  (table) => [
    // `actorId` is in it so that SQLite does not choose `order_steps_actor` and read all steps of an actor.
    index("order_steps_order").on(table.orderId, table.kind, table.actorId),
    index("order_steps_actor").on(table.actorId, table.id),
    // For the job that invites buyers to review.
    index("order_steps_received").on(table.createdAt).where(sql`${table.kind} = 'received'`),
    // Each of these steps occurs once per order, but an order may be cancelled and reinstated several times. Who undoes a
    // handover or a receipt takes its step away, and can do so once.
    uniqueIndex("order_steps_once")
      .on(table.orderId, table.kind)
      .where(
        sql`${table.kind} in ('reserved', 'handed over', 'received', 'extended', 'handover undone', 'receipt undone')`,
      ),
  ],
);

/** Offers of a price for a listing, by a buyer or, as counteroffers, by its seller. Their state follows from the time. */
export const offers = sqliteTable(
  "offers",
  {
    /** The id of the message that it was sent with. */
    id: text("id").primaryKey(),
    // No foreign keys: an offer stays readable after its listing or an account is removed.
    phoneId: text("phone_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    sellerId: text("seller_id").notNull(),
    /** Who made it. */
    side: text("side", { enum: offerSides }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    createdAt: createdAt(),
    /** When it lapses without an answer. */
    expiresAt: timestamp("expires_at").notNull(),
    answer: text("answer", { enum: offerAnswers }),
    answeredAt: timestamp("answered_at"),
    /** Until when the buyer can book at the accepted price. */
    usableUntil: timestamp("usable_until"),
  },
  (table) => [
    index("offers_buyer").on(table.buyerId, table.phoneId, table.id),
    index("offers_seller").on(table.sellerId, table.id),
    index("offers_phone").on(table.phoneId),
  ],
);

/** Where a buyer has devices sent, to choose from at the next booking. */
export const savedAddresses = sqliteTable(
  "saved_addresses",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    address: text("address").notNull(),
    phone: text("phone").notNull(),
  },
  (table) => [uniqueIndex("saved_addresses_once").on(table.userId, table.address, table.phone)],
);
