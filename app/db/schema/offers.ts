import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { offerAnswers, offerSides } from "../values.ts";
import { createdAt, timestamp } from "./columns.ts";

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
