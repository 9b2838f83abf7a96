import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import { alertFrequencies, deviceCategories } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Searches whose owners want to know of new matches, in the form that listings are matched in: see docs/search.md. */
export const savedSearches = sqliteTable(
  "saved_searches",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    category: text("category", { enum: ["products", ...deviceCategories] }).notNull(),
    /** The query string of the list, normalized: "?q=iphone&to=300". */
    query: text("query").notNull(),
    frequency: text("frequency", { enum: alertFrequencies }).notNull(),
    createdAt: createdAt(),
    /** Lists of tokens; the text of a matching listing has one of each list. */
    clauses: text("clauses", { mode: "json" }).$type<string[][]>().notNull(),
    fromCents: integer("from_cents").notNull(),
    toCents: integer("to_cents").notNull(),
    /** Matches since the owner last opened the search. */
    newMatchCount: integer("new_count").notNull().default(0),
    /** The ids of the listings that matched last, newest first. */
    matchedIds: text("matched_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Matches that the owner has not been notified of yet. */
    pendingCount: integer("pending_count").notNull().default(0),
    /** When the owner was last notified, at first the time of creation. */
    notifiedAt: timestamp("notified_at").notNull(),
  },
  (table) => [
    uniqueIndex("saved_searches_query").on(table.userId, table.category, table.query),
    index("saved_searches_due").on(table.frequency, table.notifiedAt).where(sql`${table.pendingCount} > 0`),
  ],
);

/** The inverted index of saved searches: each is found by the tokens of its rarest clause. */
export const savedSearchKeys = sqliteTable(
  "saved_search_keys",
  {
    key: text("key").notNull(),
    /** A copy, so that listings find no searches that they are too expensive for. */
    toCents: integer("to_cents").notNull(),
    searchId: text("search_id")
      .notNull()
      .references(() => savedSearches.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.toCents, table.searchId] }),
    index("saved_search_keys_search").on(table.searchId),
  ],
);

/** Published and edited listings that are to be matched with the saved searches, with what they were before. */
export const unmatchedListings = sqliteTable(
  "unmatched_listings",
  {
    phoneId: text("phone_id").primaryKey(),
    /** Time-ordered, and new with each edit. */
    revision: text("revision").notNull().$defaultFn(timeOrderedId),
    /** Null for a new listing, as are the others then. */
    oldVariantId: integer("old_variant_id"),
    /** The lowest price so far. */
    oldCents: integer("old_cents"),
    /** The optional attributes; null if the listing did not state them. */
    oldStated: text("old_stated", { mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [index("unmatched_listings_revision").on(table.revision)],
);
