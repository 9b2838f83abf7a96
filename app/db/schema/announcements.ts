import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { announcementAudiences } from "../values.ts";
import { createdAt, id } from "./columns.ts";

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
  },
  (table) => [index("announcements_last_day").on(table.lastDay)],
);
