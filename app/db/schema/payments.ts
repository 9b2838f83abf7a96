import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ledgerKinds, paymentCauses, paymentTaskKinds, payoutAccountStates } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** The accounts of sellers at the payment provider, which their money is released to. */
export const payoutAccounts = sqliteTable(
  "payout_accounts",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The provider's. */
    accountId: text("account_id").notNull(),
    state: text("state", { enum: payoutAccountStates }).notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [uniqueIndex("payout_accounts_account").on(table.accountId)],
);

/** The payments of protected orders. An order without a row is paid to the seller directly. */
export const payments = sqliteTable(
  "payments",
  {
    // No foreign keys: what was paid stays readable, as its order does.
    orderId: text("order_id").primaryKey(),
    /** Who is paid; null of a seller who had been erased when this column was added. */
    sellerId: text("seller_id"),
    /** What the buyer pays, as in the order. */
    amountCents: integer("amount_cents").notNull(),
    /** What Ringback keeps of it when it is released, fixed when the device was booked. */
    feeCents: integer("fee_cents").notNull(),
    /** In how many days the buyer can change their mind, as the shop offered it when the device was booked. */
    returnDays: integer("return_days").notNull().default(0),
    createdAt: createdAt(),
    payBy: timestamp("pay_by").notNull(),
    /** The provider's page where the buyer pays; null until they have asked for it. */
    checkoutId: text("checkout_id"),
    /** What was charged at the provider; null until it is paid. */
    chargeId: text("charge_id"),
    paidAt: timestamp("paid_at"),
    /** When the buyer had the seller paid at once. */
    approvedAt: timestamp("approved_at"),
    /** What is paid back of an order that goes on: agreed in a problem, or by staff, who give a reason. */
    refundCents: integer("refund_cents").notNull().default(0),
    refundReason: text("refund_reason"),
    /** What the buyer's bank disputes, by the provider's id, from when until when. */
    disputeId: text("dispute_id"),
    disputedAt: timestamp("disputed_at"),
    disputeEndedAt: timestamp("dispute_ended_at"),
    /** Since when nothing is held and nothing is expected. */
    settledAt: timestamp("settled_at"),
  },
  (table) => [
    uniqueIndex("payments_checkout").on(table.checkoutId).where(sql`${table.checkoutId} is not null`),
    uniqueIndex("payments_dispute").on(table.disputeId).where(sql`${table.disputeId} is not null`),
    // For the job that finds what is due.
    index("payments_unsettled").on(table.orderId).where(sql`${table.settledAt} is null`),
    index("payments_disputed")
      .on(table.orderId)
      .where(
        sql`${table.disputedAt} is not null and ${table.disputeEndedAt} is null and ${table.settledAt} is null`,
      ),
    index("payments_seller").on(table.sellerId, table.orderId).where(sql`${table.paidAt} is not null`),
    index("payments_seller_unsettled")
      .on(table.sellerId, table.orderId)
      .where(sql`${table.settledAt} is null`),
  ],
);

/** What is to be sent to the provider, or was. */
export const paymentTasks = sqliteTable(
  "payment_tasks",
  {
    /** The idempotency key at the provider. */
    id: id(),
    orderId: text("order_id").notNull(),
    kind: text("kind", { enum: paymentTaskKinds }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    cause: text("cause", { enum: paymentCauses }).notNull(),
    createdAt: createdAt(),
    /** When the provider has carried it out, or another task has taken its place. */
    doneAt: timestamp("done_at"),
    /** What the provider made of it; null if it has not carried it out. */
    providerId: text("provider_id"),
    attempts: integer("attempts").notNull().default(0),
    /** The provider's short code of the last failure; nothing about a person. */
    error: text("error"),
    /** When it is sent next; null if sending it again would not help. */
    nextAt: timestamp("next_at"),
  },
  (table) => [
    // One after the other, so that nothing is moved twice.
    uniqueIndex("payment_tasks_one_open").on(table.orderId).where(sql`${table.doneAt} is null`),
    index("payment_tasks_order").on(table.orderId, table.id),
    index("payment_tasks_next").on(table.nextAt).where(sql`${table.doneAt} is null`),
  ],
);

/** What has happened to the money of protected orders. Rows are never changed; triggers refuse it. */
export const ledgerEntries = sqliteTable(
  "ledger_entries",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    kind: text("kind", { enum: ledgerKinds }).notNull(),
    amountCents: integer("amount_cents").notNull(),
    /** Of the charge, transfer, refund or reversal; a fee has that of its transfer. */
    providerId: text("provider_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("ledger_entries_once").on(table.kind, table.providerId),
    index("ledger_entries_order").on(table.orderId, table.id),
    index("ledger_entries_created").on(table.createdAt),
  ],
);

/** The sums of the ledger: of all, with an empty seller, and of the orders of each seller. A trigger keeps them. */
export const ledgerSums = sqliteTable(
  "ledger_sums",
  {
    sellerId: text("seller_id").notNull(),
    kind: text("kind", { enum: ledgerKinds }).notNull(),
    cents: integer("cents").notNull(),
    /** How many orders have an entry of the kind. */
    orders: integer("orders").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sellerId, table.kind] })],
);

/** What the ledger and the provider say differently about the money of an order, until they agree or staff has settled it. */
export const paymentDifferences = sqliteTable(
  "payment_differences",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    kind: text("kind", { enum: ledgerKinds }).notNull(),
    providerId: text("provider_id").notNull(),
    /** Null if the ledger, or the provider, does not have it. */
    ledgerCents: integer("ledger_cents"),
    providerCents: integer("provider_cents"),
    createdAt: createdAt(),
    solvedAt: timestamp("solved_at"),
  },
  (table) => [
    uniqueIndex("payment_differences_once").on(table.kind, table.providerId),
    index("payment_differences_open").on(table.createdAt).where(sql`${table.solvedAt} is null`),
  ],
);

/** Events that the provider has sent, each once. */
export const providerEvents = sqliteTable(
  "provider_events",
  {
    /** The provider's. */
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    /** What it is about, to be looked up at the provider. */
    objectId: text("object_id").notNull(),
    receivedAt: timestamp("received_at").notNull(),
    processedAt: timestamp("processed_at"),
  },
  (table) => [
    index("provider_events_waiting").on(table.receivedAt).where(sql`${table.processedAt} is null`),
    index("provider_events_processed").on(table.processedAt).where(sql`${table.processedAt} is not null`),
  ],
);
