import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { savedListingNews } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Listings that users have saved. No foreign key to the listing, so that its savers are notified of its deletion. */
export const savedListings = sqliteTable(
  "saved_listings",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    phoneId: text("phone_id").notNull(),
    /** The price when it was saved. */
    priceCents: integer("price_cents").notNull(),
    /** The lowest price in a notification to the saver. */
    notifiedCents: integer("notified_cents"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("saved_listings_once").on(table.userId, table.phoneId),
    index("saved_listings_user").on(table.userId, table.id),
    index("saved_listings_phone").on(table.phoneId, table.userId),
  ],
);

/**
 * Changes of saved listings that a job notifies the savers of. A trigger adds a row with what was before
 * the first of several changes, so that a booking that is cancelled at once is no news.
 */
export const savedListingChanges = sqliteTable(
  "saved_listing_changes",
  {
    id: text("id").primaryKey(),
    phoneId: text("phone_id").notNull(),
    /** The name of the device, since the listing may be deleted. */
    device: text("device").notNull(),
    wasAvailable: integer("was_available", { mode: "boolean" }).notNull(),
    oldCents: integer("old_cents").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** Null until the job has compared the listing as it is now. */
    kind: text("kind", { enum: savedListingNews }),
  },
  (table) => [
    uniqueIndex("saved_listing_changes_new").on(table.phoneId).where(sql`${table.kind} is null`),
    index("saved_listing_changes_created_at").on(table.createdAt),
  ],
);
