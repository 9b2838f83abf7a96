import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { reviewRoles } from "../enums.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Reviews of an order: by its buyer about the seller, and by its seller about the buyer. */
export const reviews = sqliteTable(
  "reviews",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    authorRole: text("author_role", { enum: reviewRoles }).notNull(),
    authorId: text("author_id").notNull(),
    /** The account that is rated. */
    subjectId: text("subject_id").notNull(),
    /** 1 to 5. */
    stars: integer("stars").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    editedAt: timestamp("edited_at"),
    /** When others can see it: at once if both sides have reviewed the order, else 14 days after its creation. */
    publishedAt: timestamp("published_at").notNull(),
    reply: text("reply"),
    repliedAt: timestamp("replied_at"),
    /** The decision that hides the review, see `decisions`; null while it is shown and counts. */
    hiddenById: text("hidden_by_id"),
  },
  (table) => [
    uniqueIndex("reviews_order").on(table.orderId, table.authorRole),
    index("reviews_subject").on(table.subjectId, table.authorRole, table.id),
    // Covers the rating of an account.
    index("reviews_rating")
      .on(table.subjectId, table.authorRole, table.authorId, table.publishedAt, table.stars)
      .where(sql`${table.hiddenById} is null`),
    index("reviews_author").on(table.authorId, table.id),
    // For the job that notifies of published reviews.
    index("reviews_published_at").on(table.publishedAt),
  ],
);
