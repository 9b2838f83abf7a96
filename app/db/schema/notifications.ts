import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { emailOutcomes, type NotificationDetails, notificationKinds } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Notifications of users, written in the batch of the event or by a cron job; their emails are made from these rows. */
export const notifications = sqliteTable(
  "notifications",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: notificationKinds }).notNull(),
    /** What it is about, as its text names it: a device, a person, a saved search. */
    subject: text("subject").notNull(),
    /** Null if there is nothing more to say, and where the subject says it, as it did before details were stored. */
    details: text("details", { mode: "json" }).$type<NotificationDetails>(),
    /** The page that it leads to. */
    path: text("path").notNull(),
    /** Names the event, so that a user is notified of it once: "booked ORDER". */
    event: text("event").notNull(),
    createdAt: createdAt(),
    readAt: timestamp("read_at"),
    /** When its email was sent, or when it turned out that none is sent; null while it is due. */
    emailDoneAt: timestamp("email_done_at"),
    /** Which of these; null while it is due, and where it was done before outcomes were stored. */
    emailOutcome: text("email_outcome", { enum: emailOutcomes }),
  },
  (table) => [
    uniqueIndex("notifications_event").on(table.userId, table.event),
    index("notifications_user").on(table.userId, table.id),
    index("notifications_unread").on(table.userId, table.path).where(sql`${table.readAt} is null`),
    // Of emails that could not be sent for a day, which System looks for.
    index("notifications_too_late").on(table.id).where(sql`${table.emailOutcome} = 'too late'`),
    index("notifications_email_due").on(table.id).where(sql`${table.emailDoneAt} is null`),
    // For the job that deletes old ones.
    index("notifications_read_at").on(table.readAt).where(sql`${table.readAt} is not null`),
  ],
);

/** Kinds of notifications that users do not want by email. */
export const emailOptOuts = sqliteTable(
  "email_opt_outs",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: notificationKinds }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** Emails that must be sent once, recorded before they are sent. */
export const sentEmails = sqliteTable(
  "sent_emails",
  {
    /** The kind of email and what it is about: "review invitation ORDER". */
    id: text("id").primaryKey(),
    /** Of the last attempt to send it. */
    createdAt: createdAt(),
    /** Null during an attempt, and after one that was interrupted. */
    sentAt: timestamp("sent_at"),
  },
  (table) => [index("sent_emails_created_at").on(table.createdAt)],
);
