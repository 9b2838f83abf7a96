import { sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts.ts";
import { id } from "./columns.ts";

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
