import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import {
  colors,
  conditions,
  deviceCategories,
  deviceTypes,
  offersWelcomeChoices,
  operatingSystems,
  saleStatuses,
  sellingTabs,
} from "../enums.ts";
import { users } from "./accounts.ts";
import { createdAt, id, removalId, timestamp } from "./columns.ts";

/** Listings: offers of a phone or a tablet. */
export const phones = sqliteTable(
  "phones",
  {
    id: id(),
    sellerId: text("seller_id")
      .notNull()
      .references(() => users.id),
    brandName: text("brand_name").notNull(),
    model: text("model").notNull(),
    ram: text("ram").notNull(),
    rom: text("rom").notNull(),
    image: text("image").notNull(),
    camera: text("camera").notNull(),
    processor: text("processor").notNull(),
    battery: text("battery").notNull(),
    os: text("os", { enum: operatingSystems }).notNull(),
    deviceType: text("device_type", { enum: deviceTypes }).notNull(),
    sellingReason: text("selling_reason").notNull(),
    marketCents: integer("market_cents").notNull(),
    sellingCents: integer("selling_cents").notNull(),
    /** ISO date, "2026-11-21". */
    postDate: text("post_date").notNull(),
    /** Months, or free text. */
    usedTime: text("used_time").notNull(),
    status: text("status", { enum: saleStatuses }).notNull().default("available"),
    createdAt: createdAt(),
    /**
     * What hides it; null while it is visible. A removal, see `removals`: of the listing, or of its seller's account; or a
     * decision, see `decisions`: that hides it, holds it as a first listing, or suspends the seller; or the order that it
     * came back from, until its seller lists it again.
     */
    hiddenById: text("hidden_by_id"),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key"),
    /** Ascending in order of creation; set by a trigger. */
    number: integer("number"),
    /** Set by a trigger; see docs/search.md. */
    variantId: integer("variant_id"),
    /** A copy of the seller's verification, kept by a trigger. */
    sellerVerified: integer("seller_verified", { mode: "boolean" }).notNull().default(false),
    /**
     * In how many days a buyer can change their mind, if the order is protected; null if it would not be. A copy of what the
     * shop offers and the provider says, kept by triggers.
     */
    returnDays: integer("return_days"),
    listed: integer("listed", { mode: "boolean" }).generatedAlwaysAs(
      sql`"hidden_by_id" is null and "status" not in ('sold', 'paused')`,
      { mode: "virtual" },
    ),
    category: text("category", { enum: deviceCategories }).generatedAlwaysAs(
      sql`iif("device_type" = 'Tablet', 'tablet', iif("os" = 'Ios', 'ios', 'android'))`,
      { mode: "virtual" },
    ),
    savingCents: integer("saving_cents").generatedAlwaysAs(sql`"market_cents" - "selling_cents"`, {
      mode: "virtual",
    }),
    /** The id of the first photo: a copy, written in each batch that changes photos. */
    cover: text("cover"),
    condition: text("condition", { enum: conditions }),
    /** In per cent of the original capacity. */
    batteryHealth: integer("battery_health"),
    color: text("color", { enum: colors }),
    /** "unlocked", the carrier that it is locked to, or "other". */
    carrierLock: text("carrier_lock"),
    /** Null means yes. */
    offersWelcome: text("offers_welcome", { enum: offersWelcomeChoices }),
    /** What a seller states besides, by the name of its attribute. */
    details: text("details", { mode: "json" }).$type<Partial<Record<string, string>>>().notNull().default({}),
    city: text("city").generatedAlwaysAs(sql`"details" ->> 'city'`, { mode: "virtual" }),
    /** A keyed hash; the IMEI itself is not stored. */
    imeiHash: text("imei_hash"),
    /** The seller's own number (SKU), which nobody else sees. */
    ownNumber: text("own_number"),
    /** When a paused listing goes back on sale by itself; of a reserved one, until when it is paused once it is free. */
    pausedUntil: timestamp("paused_until"),
    /** Whether a sold one was sold elsewhere, so that it has no order. */
    soldElsewhere: integer("sold_elsewhere", { mode: "boolean" }).notNull().default(false),
    /** The tab of My Sells that it is in; null once it is deleted. Triggers set it by the view `listing_tabs`. */
    tab: text("tab", { enum: sellingTabs }),
    /** A copy of `listing_views`, kept by a trigger, for sorting. */
    views: integer("views").notNull().default(0),
  },
  (table) => [
    uniqueIndex("phones_number").on(table.number),
    uniqueIndex("phones_form_key").on(table.sellerId, table.formKey),
    // Prevents two listings of one device. What was sold here has no IMEI, what was sold elsewhere another owner.
    uniqueIndex("phones_imei")
      .on(table.imeiHash)
      .where(
        sql`${table.imeiHash} is not null and ${table.hiddenById} is null and ${table.soldElsewhere} = 0`,
      ),
    index("phones_kind").on(table.deviceType, table.os, table.id),
    index("phones_seller").on(table.sellerId, table.id),
    // A deleted one gives its number up to the next that asks for it.
    uniqueIndex("phones_own_number")
      .on(table.sellerId, sql`lower(${table.ownNumber})`)
      .where(sql`${table.ownNumber} is not null`),
    // For the tabs of My Sells, and for all together: one for each sort order and filter. Words are in `sellings_fts`.
    index("phones_tab").on(table.sellerId, table.tab, table.id),
    index("phones_tab_price").on(table.sellerId, table.tab, table.sellingCents, table.id),
    index("phones_tab_views").on(table.sellerId, table.tab, table.views, table.id),
    index("phones_seller_price")
      .on(table.sellerId, table.sellingCents, table.id)
      .where(sql`${table.tab} is not null`),
    index("phones_seller_views")
      .on(table.sellerId, table.views, table.id)
      .where(sql`${table.tab} is not null`),
    index("phones_tab_without_photo")
      .on(table.sellerId, table.tab, table.id)
      .where(sql`${table.cover} is null`),
    index("phones_paused").on(table.pausedUntil).where(sql`${table.pausedUntil} is not null`),
    index("phones_seller_paused")
      .on(table.sellerId, table.pausedUntil)
      .where(sql`${table.pausedUntil} is not null`),
    index("phones_price").on(table.sellingCents, table.id),
    // For moderators: an IMEI that was listed before. The index of listings with the same text is in
    // migrations/0001_triggers.sql.
    index("phones_imei_ever").on(table.imeiHash).where(sql`${table.imeiHash} is not null`),
    index("phones_device").on(sql`lower(${table.brandName} || ' ' || ${table.model})`, table.id),
    index("phones_variant").on(table.variantId, table.id),
    index("phones_hidden").on(table.hiddenById).where(sql`${table.hiddenById} is not null`),
    // For the job that deletes photos of removed listings.
    index("phones_hidden_with_photos")
      .on(table.hiddenById)
      .where(sql`${table.hiddenById} is not null and ${table.cover} is not null`),
    // One for each sort order of a list and one for variants; each covers all columns that lists filter by.
    listIndex("catalog_newest", [table.number], table),
    listIndex("catalog_price", [table.sellingCents, table.number], table),
    listIndex("catalog_saving", [table.savingCents, table.number], table),
    listIndex("catalog_category_newest", [table.category, table.number], table),
    listIndex("catalog_category_price", [table.category, table.sellingCents, table.number], table),
    listIndex("catalog_category_saving", [table.category, table.savingCents, table.number], table),
    listIndex("catalog_variant", [table.variantId, table.number], table),
  ],
);

type ListColumns = Record<(typeof listColumns)[number], SQLiteColumn>;

const listColumns = [
  "number",
  "category",
  "variantId",
  "sellingCents",
  "savingCents",
  "status",
  "sellerVerified",
  "returnDays",
  "condition",
  "batteryHealth",
  "color",
  "carrierLock",
  "city",
] as const;

/** A partial index of the listed phones: a key, followed by all columns that lists filter by. */
function listIndex(name: string, key: [SQLiteColumn, ...SQLiteColumn[]], table: ListColumns) {
  const others = listColumns.map((column) => table[column]).filter((column) => !key.includes(column));
  return index(name)
    .on(...key, ...others)
    .where(sql`"listed"`);
}

/** What a seller has typed of a listing that is not published yet. */
export const listingDrafts = sqliteTable(
  "listing_drafts",
  {
    sellerId: text("seller_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Becomes the listing's `formKey`. */
    id: text("id").notNull(),
    /** By the name of the field. */
    typed: text("typed", { mode: "json" }).$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.sellerId, table.id] })],
);

export const priceChanges = sqliteTable(
  "price_changes",
  {
    id: id(),
    phoneId: text("phone_id").notNull(),
    oldCents: integer("old_cents").notNull(),
    newCents: integer("new_cents").notNull(),
    createdAt: createdAt(),
    /** The change of many prices that it is part of, see `removals`, so that one undo takes them all back. */
    removalId: removalId(),
  },
  (table) => [
    index("price_changes_phone").on(table.phoneId, table.id),
    index("price_changes_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
  ],
);

/** How many listings a seller has in each tab of My Sells. Triggers count them. */
export const tabCounts = sqliteTable(
  "tab_counts",
  {
    sellerId: text("seller_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tab: text("tab", { enum: sellingTabs }).notNull(),
    listings: integer("listings").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sellerId, table.tab] })],
);

/** The photos of listings. The bucket holds the files in several sizes, under the photo's id. */
export const photos = sqliteTable(
  "photos",
  {
    /** 256 random bits, so that URLs cannot be guessed. */
    id: text("id").primaryKey(),
    /**
     * A photo belongs to a listing, a draft or an order problem; to none after deletion, until a job has deleted the files.
     * Not foreign keys: the row may outlive them.
     */
    phoneId: text("phone_id"),
    problemId: text("problem_id"),
    draftId: text("draft_id"),
    position: integer("position").notNull(),
    /** Of the largest stored size, in pixels. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** SHA-256 of the uploaded file in hex, so that a repeated upload adds no photo. */
    digest: text("digest").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("photos_once").on(table.phoneId, table.digest),
    index("photos_phone").on(table.phoneId, table.position),
    index("photos_problem").on(table.problemId, table.phoneId),
    uniqueIndex("photos_draft").on(table.draftId, table.digest).where(sql`${table.draftId} is not null`),
    // For the job that deletes those of forms that were left.
    index("photos_draft_created").on(table.createdAt).where(sql`${table.draftId} is not null`),
  ],
);
