import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The number of each record in the full-text index `records_fts`, by which staff find people and what they wrote.
 * Triggers fill both.
 */
export const recordNumbers = sqliteTable("record_numbers", {
  number: integer("number").primaryKey(),
  /** Of a user, a problem report, a message to one or a content report. */
  recordId: text("record_id").notNull().unique(),
});
