import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type ActivityDetails, activityActions } from "../enums.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/**
 * Deletions of users, listings, orders and reports, decisions of moderators, verifications of sellers, appointments and
 * withdrawals of moderators, changes of many prices, ends of announcements and deletions of saved replies, which can be undone. Rows stay until what they removed is purged.
 */
export const removals = sqliteTable("removals", {
  id: id(),
  kind: text("kind", {
    enum: [
      "user",
      "phone",
      "order",
      "report",
      "decision",
      "problem decision",
      "verification",
      "appointment",
      "withdrawal",
      "prices",
      "announcement",
      "reply",
    ],
  }).notNull(),
  targetId: text("target_id").notNull(),
  /** Empty for what nobody can undo: an account that its owner closed, and what the system did. */
  actorId: text("actor_id").notNull(),
  createdAt: createdAt(),
  undoneAt: timestamp("undone_at"),
  /** Idempotency key of the bulk action that it is part of. */
  formKey: text("form_key"),
});

/** Actions of administrators and the system, with names as they were then. Rows are never deleted, but names are when people are erased. */
export const activity = sqliteTable(
  "activity",
  {
    id: id(),
    /** Empty for the system. */
    actorId: text("actor_id").notNull(),
    /** The product's name for the system. */
    actorEmail: text("actor_email").notNull(),
    action: text("action", { enum: activityActions }).notNull(),
    targetId: text("target_id").notNull(),
    /** An email address, a name of a device or person, or the name of a table with its filters. */
    target: text("target").notNull(),
    createdAt: createdAt(),
    /** Null if the target is all there is to say: also in earlier rows, whose target has the words. */
    details: text("details", { mode: "json" }).$type<ActivityDetails>(),
  },
  (table) => [
    index("activity_target").on(table.targetId, table.id),
    index("activity_action").on(table.action, table.id),
    index("activity_actor").on(sql`lower(${table.actorEmail})`, table.id),
  ],
);
