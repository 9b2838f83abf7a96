import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { deviceCategories } from "../values.ts";

/**
 * One row for each combination of category, brand, model, processor, storage and RAM, as sellers typed them. Triggers
 * count its listed phones and maintain the full-text index of `search_text`.
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
    index("device_variants_brand").on(table.brand),
    index("device_variants_rom").on(table.rom),
    index("device_variants_ram").on(table.ram),
    index("device_variants_model").on(table.modelSlug),
  ],
);

export const searchWords = sqliteTable("search_words", {
  id: integer("id").primaryKey(),
  word: text("word").notNull().unique(),
});

export const revisions = sqliteTable("revisions", {
  /** "phones": everything that public lists show. */
  name: text("name").primaryKey(),
  revision: text("revision").notNull(),
});
