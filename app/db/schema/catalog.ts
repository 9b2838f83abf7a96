import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { deviceCategories } from "../enums.ts";

/**
 * One row for each combination of category, brand, model, processor, storage and RAM, with brands as `brands` spells
 * them. Triggers count its listed phones and maintain the full-text index of `search_text`.
 */
export const deviceVariants = sqliteTable(
  "device_variants",
  {
    id: integer("id").primaryKey(),
    category: text("category", { enum: deviceCategories }).notNull(),
    brand: text("brand").notNull(),
    model: text("model").notNull(),
    processor: text("processor").notNull(),
    rom: text("rom").notNull(),
    ram: text("ram").notNull(),
    modelSlug: text("model_slug").notNull(),
    searchText: text("search_text").notNull(),
    listed: integer("listed").notNull().default(0),
  },
  (table) => [
    uniqueIndex("device_variants_device").on(
      table.model,
      table.brand,
      table.category,
      table.processor,
      table.rom,
      table.ram,
    ),
    // By storage and RAM: migrations/0004_sizes.sql.
    index("device_variants_brand").on(table.brand, table.category, table.rom, table.ram),
    index("device_variants_model").on(table.modelSlug),
    // For the job that deletes those without a phone.
    index("device_variants_unlisted").on(table.id).where(sql`${table.listed} = 0`),
  ],
);

/** The spelling of each brand: the one that was listed first, until staff merges it into another. */
export const brands = sqliteTable(
  "brands",
  {
    /** A spelling in lower case; see `brandKey`. */
    key: text("key").primaryKey(),
    name: text("name").notNull(),
  },
  (table) => [index("brands_name").on(table.name)],
);

/** How many phones are listed in a category, in all and with each value of a facet of variants. A trigger counts them. */
export const listedCounts = sqliteTable(
  "listed_counts",
  {
    /** The name of the facet, or "all" with an empty value. */
    facet: text("facet", { enum: ["all", "brand", "rom", "ram"] }).notNull(),
    value: text("value").notNull(),
    category: text("category", { enum: deviceCategories }).notNull(),
    listed: integer("listed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.facet, table.value, table.category] })],
);

export const searchWords = sqliteTable("search_words", {
  id: integer("id").primaryKey(),
  word: text("word").notNull().unique(),
});

/** Marks that change with what they stand for, so that readers see whether it has. */
export const dataRevisions = sqliteTable("revisions", {
  /** "phones": everything that public lists show; "recovery": requests of new passwords. */
  name: text("name").primaryKey(),
  revision: text("revision").notNull(),
});
