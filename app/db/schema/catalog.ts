import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { deviceCategories } from "../values.ts";

/** Counters of listed phones, in total and for each filter value. */
function listingCounters() {
  const counter = (name: string) => integer(name).notNull().default(0);
  return {
    listed: counter("listed"),
    available: counter("available"),
    verified: counter("verified"),
    excellent: counter("excellent"),
    good: counter("good"),
    fair: counter("fair"),
    battery80: counter("battery_80"),
    battery85: counter("battery_85"),
    battery90: counter("battery_90"),
  };
}

/**
 * One row for each combination of category, brand, model, processor, storage and RAM, as sellers typed them. Triggers
 * maintain the counters and the full-text index of `search_text`.
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
    ...listingCounters(),
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

/** The counters of each category and of each brand, storage and RAM in it, maintained by triggers. */
export const facetCounts = sqliteTable(
  "facet_counts",
  {
    category: text("category", { enum: ["products", ...deviceCategories] }).notNull(),
    /** "all" has only the value "". */
    facet: text("facet", { enum: ["all", "brand", "rom", "ram"] }).notNull(),
    value: text("value").notNull(),
    ...listingCounters(),
  },
  (table) => [
    primaryKey({ columns: [table.category, table.facet, table.value] }),
    index("facet_counts_listed").on(table.category, table.facet, table.listed),
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
