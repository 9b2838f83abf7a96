import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts.ts";
import { phones } from "./listings.ts";

/** What happened on each day, for administrators. A job counts it; without the rows that were removed since. */
export const dailyNumbers = sqliteTable("daily_numbers", {
  /** Days since January 1, 1970, in UTC. */
  day: integer("day").primaryKey(),
  signUps: integer("sign_ups").notNull(),
  listings: integer("listings").notNull(),
  bookings: integer("bookings").notNull(),
  /** How many of the day's bookings have been cancelled, on any day. */
  cancelled: integer("cancelled").notNull(),
  /** Orders that were received. */
  sales: integer("sales").notNull(),
  salesCents: integer("sales_cents").notNull(),
  /** How many of the sales took how many days from the publication of the listing: `{ "12": 3 }`. */
  daysToSale: text("days_to_sale", { mode: "json" }).$type<Record<string, number>>().notNull(),
  /** Of listings. */
  views: integer("views").notNull().default(0),
});

/** How often a model was booked and saved on a day, in the spelling of its sellers. */
export const dailyDemand = sqliteTable(
  "daily_demand",
  {
    day: integer("day").notNull(),
    /** Brand and model. */
    model: text("model").notNull(),
    bookings: integer("bookings").notNull(),
    saves: integer("saves").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.model] })],
);

/** How often the words of a search were looked for on a day without a result. */
export const emptySearches = sqliteTable(
  "empty_searches",
  {
    day: integer("day").notNull(),
    words: text("words").notNull(),
    searches: integer("searches").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.words] })],
);

/** Days whose numbers are to be counted or counted again. Triggers add the day of each row that changes. */
export const uncountedDays = sqliteTable("uncounted_days", { day: integer("day").primaryKey() });

/** How often the page or the details of a listing were opened, for its seller. */
export const listingViews = sqliteTable("listing_views", {
  phoneId: text("phone_id")
    .primaryKey()
    .references(() => phones.id, { onDelete: "cascade" }),
  views: integer("views").notNull(),
});

/** The same for all listings of a seller, by day since 1970. */
export const viewedDays = sqliteTable(
  "viewed_days",
  {
    sellerId: text("seller_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    day: integer("day").notNull(),
    views: integer("views").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sellerId, table.day] }),
    // For the numbers of a day.
    index("viewed_days_day").on(table.day, table.views),
  ],
);

/** What a model with a storage is usually sold for. Triggers count what may change it, then a job computes it again. */
export const usualPrices = sqliteTable(
  "usual_prices",
  {
    /** Brand and model in lower case, as orders name them. */
    device: text("device").notNull(),
    /** In megabytes, or the text if it is no size. */
    rom: text("rom").notNull(),
    /** Changes since it was computed. */
    changes: integer("changes").notNull(),
    /** How many sales it stands on; 0 if there are too few. */
    sales: integer("sales").notNull().default(0),
    /** Null if there are too few sales, as are the others. */
    medianCents: integer("median_cents"),
    lowestCents: integer("lowest_cents"),
    highestCents: integer("highest_cents"),
  },
  (table) => [
    primaryKey({ columns: [table.device, table.rom] }),
    index("usual_prices_changed").on(table.changes).where(sql`${table.changes} > 0`),
  ],
);
