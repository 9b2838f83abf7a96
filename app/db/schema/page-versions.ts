import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { pageKinds, pageStates } from "../enums.ts";
import { createdAt, id } from "./columns.ts";

/** The pages that administrators write. A version never changes, so a page's rows are its history. */
export const pageVersions = sqliteTable(
  "page_versions",
  {
    id: id(),
    /** Names the page, also in its address. */
    slug: text("slug").notNull(),
    kind: text("kind", { enum: pageKinds }).notNull(),
    state: text("state", { enum: pageStates }).notNull(),
    title: text("title").notNull(),
    /** Markdown. */
    body: text("body").notNull(),
    inFooter: integer("in_footer", { mode: "boolean" }).notNull(),
    authorId: text("author_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("page_versions_slug").on(table.slug, table.id)],
);
