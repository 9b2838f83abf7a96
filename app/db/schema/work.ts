import { isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { announcementAudiences, noteSubjectKinds } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Who works on a case, for colleagues to see. A claim from before the oldest open item of its page no longer counts. */
export const workClaims = sqliteTable(
  "work_claims",
  {
    /** The page of the work: "/manage/moderation/listing/ID". */
    path: text("path").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    takenAt: timestamp("taken_at").notNull(),
  },
  (table) => [
    index("work_claims_user").on(table.userId),
    // For the job that deletes old ones.
    index("work_claims_taken_at").on(table.takenAt),
  ],
);

/** What staff writes for each other. Never changed. */
export const notes = sqliteTable(
  "notes",
  {
    id: id(),
    subjectKind: text("subject_kind", { enum: noteSubjectKinds }).notNull(),
    subjectId: text("subject_id").notNull(),
    authorId: text("author_id").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").unique(),
  },
  (table) => [index("notes_subject").on(table.subjectId, table.id)],
);

/** Texts that staff inserts into reasons and answers. They may have placeholders. */
export const savedReplies = sqliteTable(
  "saved_replies",
  {
    id: id(),
    title: text("title").notNull(),
    text: text("text").notNull(),
    changedAt: timestamp("changed_at").notNull(),
    /** Set once it is deleted. */
    removalId: text("removal_id"),
  },
  (table) => [
    uniqueIndex("saved_replies_title").on(sql`lower(${table.title})`).where(isNull(table.removalId)),
  ],
);

/** What all users or all sellers read above their pages for some days. */
export const announcements = sqliteTable(
  "announcements",
  {
    id: id(),
    audience: text("audience", { enum: announcementAudiences }).notNull(),
    text: text("text").notNull(),
    /** Both in days since January 1, 1970, in UTC. */
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
    /** The last user, by id, who was notified, empty before the first; null if nobody is, or nobody is left. */
    notifiedThrough: text("notified_through"),
    createdAt: createdAt(),
    /** Set once it was ended before its last day. */
    removalId: text("removal_id"),
  },
  (table) => [index("announcements_last_day").on(table.lastDay)],
);
