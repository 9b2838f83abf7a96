import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { importPlans, importResults, importStates } from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Files of listings that sellers upload: checked first, then applied by a queue. Rows go after some days. */
export const listingImports = sqliteTable(
  "listing_imports",
  {
    id: id(),
    sellerId: text("seller_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    fileName: text("file_name").notNull(),
    state: text("state", { enum: importStates }).notNull().default("checked"),
    /** Columns of the file that were not read. */
    unknownColumns: text("unknown_columns", { mode: "json" }).$type<string[]>().notNull(),
    /** Whether the seller says that the doubtful values are right. */
    confirmed: integer("confirmed", { mode: "boolean" }).notNull().default(false),
    /** The object with the photos, a ZIP file. */
    archive: text("archive"),
    createdAt: createdAt(),
    /** When the last row was applied. */
    appliedAt: timestamp("applied_at"),
    undoneAt: timestamp("undone_at"),
  },
  (table) => [
    index("listing_imports_seller").on(table.sellerId, table.id),
    // One at a time.
    uniqueIndex("listing_imports_running")
      .on(table.sellerId)
      .where(sql`${table.state} in ('applying', 'undoing')`),
  ],
);

type Values = Record<string, string | null>;

/** The rows of such a file, and what became of them. */
export const listingImportRows = sqliteTable(
  "listing_import_rows",
  {
    importId: text("import_id")
      .notNull()
      .references(() => listingImports.id, { onDelete: "cascade" }),
    /** In the file, from 1; the first has the names of the columns. */
    line: integer("line").notNull(),
    plan: text("plan", { enum: importPlans }).notNull(),
    /** The listing that changes, or was created. */
    phoneId: text("phone_id"),
    device: text("device").notNull(),
    ownNumber: text("own_number"),
    /** What it states or changes, by the name of the form’s field; null if it states nothing any more. */
    fields: text("fields", { mode: "json" }).$type<Values>(),
    /**
     * What the listing said, when it was checked, of all that the row says. An undo brings back what was replaced. Null for a
     * new listing, and once an unchanged one was compared again.
     */
    before: text("before", { mode: "json" }).$type<Values>(),
    /** See `imeiHashesOf`; the IMEI itself is not stored. */
    imeiHashes: text("imei_hashes", { mode: "json" }).$type<string[]>(),
    /** What is wrong, or else doubtful. Earlier rows have the title of the column in place of the field. */
    remarks: text("remarks", { mode: "json" })
      .$type<{ field?: string; column?: string; text: string }[]>()
      .notNull(),
    result: text("result", { enum: importResults }),
    /** Why it was not applied, or not taken back: of an undone one, that it was deleted before. */
    refusal: text("refusal"),
    /** File names in the archive, and links; once added, the ids of the photos in their place. */
    photos: text("photos", { mode: "json" }).$type<string[]>(),
    /** The photos that could not be added; null before they were tried. */
    photoRemarks: text("photo_remarks", { mode: "json" }).$type<string[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index("listing_import_rows_state").on(table.importId, table.plan, table.result, table.line),
  ],
);
