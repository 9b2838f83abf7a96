import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * The number of each record in the full-text index `records_fts`, by which staff find people and what they wrote.
 * Triggers fill both. The index can't have the rows' own numbers, since a VACUUM may change them.
 */
export const recordNumbers = sqliteTable(
  "record_numbers",
  {
    number: integer("number").primaryKey(),
    recordId: text("record_id").notNull(),
    /** The table of the record: of users, support tickets, messages to these, content reports, orders or saved addresses. */
    kind: text("kind").notNull(),
  },
  (table) => [uniqueIndex("record_numbers_record").on(table.recordId, table.kind)],
);
