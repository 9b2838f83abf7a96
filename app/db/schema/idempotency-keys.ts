import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";

/**
 * Responses to API requests with an Idempotency-Key, for retries. Key and body are stored only as keyed hashes: a
 * body may hold a password.
 */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** A hash of client, path and key. */
    id: text("id").primaryKey(),
    bodyHash: text("body_hash").notNull(),
    /** The same for all retries, so that they store one record at most. */
    name: text("name").notNull(),
    /** Null while the first request is in progress. */
    status: integer("status"),
    response: text("response"),
    createdAt: createdAt(),
  },
  (table) => [index("idempotency_keys_created_at").on(table.createdAt)],
);
