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
import { v7 as timeOrderedId } from "uuid";
import {
  conditions,
  deviceCategories,
  deviceTypes,
  oneTimeTokenPurposes,
  operatingSystems,
  orderStages,
  orderStepKinds,
  phoneStatuses,
  roles,
} from "./values.ts";

/** Every table has a time-ordered string as its key, so that key order is the order of creation. */
const id = () => text("id").primaryKey().$defaultFn(timeOrderedId);
const moment = (name: string) => integer(name, { mode: "timestamp_ms" });
const createdAt = () =>
  moment("created_at")
    .notNull()
    .$defaultFn(() => new Date());

/** Set while a row is removed: which removal took it away, see `removals`. Nothing shows such a row. */
const removalId = () => text("removal_id");

export const users = sqliteTable(
  "users",
  {
    id: id(),
    name: text("name").notNull(),
    /** As its owner writes it; compared without case. */
    email: text("email").notNull(),
    /** bcrypt; null for accounts that sign in another way. */
    passwordHash: text("password_hash"),
    /** Google's own key of the person who has entered with Google, which outlives a change of address there. */
    googleSubject: text("google_subject"),
    userType: text("user_type", { enum: roles }).notNull(),
    /** "yes" once an administrator has verified the seller. */
    verified: text("verified", { enum: ["yes"] }),
    /** When its owner has shown that mail to the address reaches them. */
    emailVerifiedAt: moment("email_verified_at"),
    createdAt: createdAt(),
    removalId: removalId(),
  },
  (table) => [
    uniqueIndex("users_email").on(sql`lower(${table.email})`).where(sql`${table.removalId} is null`),
    uniqueIndex("users_google_subject").on(table.googleSubject).where(sql`${table.removalId} is null`),
    // Logging in asks for removed accounts too, and for unknown addresses: none may cost a look at all rows.
    index("users_email_ever").on(sql`lower(${table.email})`),
    index("users_user_type").on(table.userType, table.id),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    /** 256 random bits; the browser holds it in a signed cookie. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
    /** When it was last used, to the hour. 0 in rows older than this column: read the later of it and `createdAt`. */
    lastSeenAt: moment("last_seen_at").notNull().default(sql`0`),
    /** What it was opened from, for its owner to recognise: "Chrome on Android". */
    device: text("device").notNull().default("Unknown device"),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/** Keys that a person's devices hold and sign in with, in place of a password. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** What its authenticator calls it, as base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** COSE, as base64url. */
    publicKey: text("public_key").notNull(),
    /** How often it has signed, as it says itself: a smaller number comes from a copy. Many stay at 0. */
    counter: integer("counter").notNull(),
    /** How browsers can reach it: "internal", "hybrid", "usb" and the like. */
    transports: text("transports", { mode: "json" }).$type<string[]>().notNull(),
    /** Whether it is kept beyond its device, so that losing the device does not lose it. */
    backedUp: integer("backed_up", { mode: "boolean" }).notNull(),
    /** For its owner to recognise: who keeps it, or what it was made on. */
    name: text("name").notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** OAuth `state` values that have been used, stored until their cookies expire so that each works once. */
export const usedOauthStates = sqliteTable("used_oauth_states", {
  state: text("state").primaryKey(),
  usedAt: moment("used_at").notNull(),
});

/** How often each account, or address that is none, was tried to be logged in to without success. */
export const logInAttempts = sqliteTable(
  "log_in_attempts",
  {
    /** A keyed hash of the address, alone or with the device that tries. */
    key: text("key").primaryKey(),
    /** In a row, without one that succeeded. */
    attempts: integer("attempts").notNull(),
    lastAt: moment("last_at").notNull(),
    /** Until then no further attempt is looked at. */
    blockedUntil: moment("blocked_until").notNull(),
  },
  (table) => [index("log_in_attempts_last_at").on(table.lastAt)],
);

/** Tokens that work once: links in e-mails, and challenges of passkeys. */
export const oneTimeTokens = sqliteTable(
  "one_time_tokens",
  {
    /** SHA-256 of the token in hex; the token itself is not stored. */
    id: text("id").primaryKey(),
    purpose: text("purpose", { enum: oneTimeTokenPurposes }).notNull(),
    /** Null for a passkey login, where the account is not known yet. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The account's e-mail address when the token was issued. */
    email: text("email"),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("one_time_tokens_user").on(table.userId, table.purpose),
    index("one_time_tokens_expiry").on(table.expiresAt),
  ],
);

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
    /** Months, as the seller wrote them. */
    usedTime: text("used_time").notNull(),
    status: text("status", { enum: phoneStatuses }).notNull().default("available"),
    createdAt: createdAt(),
    removalId: removalId(),
    /** Names the filled-in form that made it, so that a form sent twice makes one listing. */
    formKey: text("form_key"),
    /** Its number among all listings, later ones higher; a trigger gives it. */
    number: integer("number"),
    /** What lists and searches find it by; see docs/search.md. */
    variantId: integer("variant_id"),
    /** The seller's verification; a trigger keeps it in step with the account. */
    sellerVerified: integer("seller_verified", { mode: "boolean" }).notNull().default(false),
    /** Whether lists show it: neither sold nor removed. */
    listed: integer("listed", { mode: "boolean" }).generatedAlwaysAs(
      sql`"removal_id" is null and "status" <> 'sold'`,
      { mode: "virtual" },
    ),
    category: text("category", { enum: deviceCategories }).generatedAlwaysAs(
      sql`iif("device_type" = 'Tablet', 'tablet', iif("os" = 'Ios', 'ios', 'android'))`,
      { mode: "virtual" },
    ),
    savingCents: integer("saving_cents").generatedAlwaysAs(sql`"market_cents" - "selling_cents"`, {
      mode: "virtual",
    }),
    /** Its first photo, kept here so that lists need not look for it; null while there is none. */
    cover: text("cover"),
    condition: text("condition", { enum: conditions }),
    /** Per cent of the battery's first capacity. */
    batteryHealth: integer("battery_health"),
    /** A keyed hash of the device's IMEI, which is kept nowhere else. */
    imeiHash: text("imei_hash"),
  },
  (table) => [
    uniqueIndex("phones_number").on(table.number),
    uniqueIndex("phones_form_key").on(table.sellerId, table.formKey),
    // The last word when one device is offered twice. Sold ones forget their IMEI.
    uniqueIndex("phones_imei")
      .on(table.imeiHash)
      .where(sql`${table.imeiHash} is not null and ${table.removalId} is null`),
    index("phones_kind").on(table.deviceType, table.os, table.id),
    index("phones_seller").on(table.sellerId, table.id),
    index("phones_price").on(table.sellingCents, table.id),
    index("phones_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
    // What the sweep of photos has left to do.
    index("phones_removed_with_photos")
      .on(table.removalId)
      .where(sql`${table.removalId} is not null and ${table.cover} is not null`),
    // Lists, in each order and by variant. Each covers all columns that a list filters by.
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
  "condition",
  "batteryHealth",
] as const;

/** An index of the listings that lists show, by a key, with every column that lists filter by behind it. */
function listIndex(name: string, key: [SQLiteColumn, ...SQLiteColumn[]], table: ListColumns) {
  const others = listColumns.map((column) => table[column]).filter((column) => !key.includes(column));
  return index(name)
    .on(...key, ...others)
    .where(sql`"listed"`);
}

/** How many listings are listed, and how many of them have what a list can be filtered by. */
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
 * One row for all listings of one category, brand, model, processor, storage and RAM, as their sellers wrote them.
 * Triggers keep the counts of listings that lists show, and the full-text index over `search_text`.
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
    /** Brand and model in an address, "apple-iphone-13"; empty where they have no letter and no digit. */
    modelSlug: text("model_slug").notNull(),
    /** Folded words and joined spellings of brand, model and processor. */
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

/** The counters of a category, and of each brand, storage and RAM in it; triggers keep them. */
export const facetCounts = sqliteTable(
  "facet_counts",
  {
    category: text("category", { enum: ["products", ...deviceCategories] }).notNull(),
    /** "all" has the one value "". */
    facet: text("facet", { enum: ["all", "brand", "rom", "ram"] }).notNull(),
    value: text("value").notNull(),
    ...listingCounters(),
  },
  (table) => [
    primaryKey({ columns: [table.category, table.facet, table.value] }),
    index("facet_counts_listed").on(table.category, table.facet, table.listed),
  ],
);

/** Each folded word of the variants once, for finding what a misspelt word may mean. */
export const searchWords = sqliteTable("search_words", {
  id: integer("id").primaryKey(),
  word: text("word").notNull().unique(),
});

/** The photos of listings. Their bytes are in the bucket, in several sizes, under the same key. */
export const photos = sqliteTable(
  "photos",
  {
    /** 256 random bits: a photo's address is known to whom it was shown. */
    id: text("id").primaryKey(),
    /**
     * Null once the photo is taken off its listing: then its objects are to go, and the row after them. Not a foreign
     * key, since the row must outlast its listing.
     */
    phoneId: text("phone_id"),
    /** Orders the photos of a listing; there may be gaps. */
    position: integer("position").notNull(),
    /** Of the largest size that is kept, in pixels. */
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** SHA-256 in hex of the file as it came, so that a file sent twice is one photo. */
    digest: text("digest").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("photos_once").on(table.phoneId, table.digest),
    index("photos_phone").on(table.phoneId, table.position),
  ],
);

export const bookings = sqliteTable(
  "bookings",
  {
    id: id(),
    // Without foreign keys: an order stays readable when its phone or a party's account is gone.
    phoneId: text("phone_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    productName: text("product_name").notNull(),
    ram: text("ram").notNull(),
    rom: text("rom").notNull(),
    buyerName: text("buyer_name").notNull(),
    buyerAddress: text("buyer_address").notNull(),
    email: text("email").notNull(),
    phone: text("phone").notNull(),
    priceCents: integer("price_cents").notNull(),
    status: text("status", { enum: ["active", "cancelled"] })
      .notNull()
      .default("active"),
    createdAt: createdAt(),
    /** Which removal cancelled it. */
    removalId: removalId(),
    /** Names the call that made it, so that a call made twice makes one order. */
    formKey: text("form_key"),
    /** How far it has come; a cancelled order keeps how far it came. */
    stage: text("stage", { enum: orderStages }).notNull().default("reserved"),
  },
  (table) => [
    uniqueIndex("bookings_form_key").on(table.buyerId, table.formKey),
    // The last word when several buyers want one phone.
    uniqueIndex("bookings_one_active_per_phone").on(table.phoneId).where(sql`${table.status} = 'active'`),
    index("bookings_buyer").on(table.buyerId, table.id),
    index("bookings_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
    // What a model sold for, newest first, without a look at the rows.
    index("bookings_sales")
      .on(sql`lower(${table.productName})`, table.id, table.rom, table.priceCents)
      .where(sql`${table.status} = 'active'`),
  ],
);

/** What happened to each order, when, and by whom. */
export const orderSteps = sqliteTable(
  "order_steps",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    kind: text("kind", { enum: orderStepKinds }).notNull(),
    actorId: text("actor_id").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("order_steps_order").on(table.orderId, table.id),
    index("order_steps_actor").on(table.actorId, table.id),
    // Cancelling may be taken back and done again; these happen once.
    uniqueIndex("order_steps_once")
      .on(table.orderId, table.kind)
      .where(sql`${table.kind} in ('reserved', 'handed over', 'received')`),
  ],
);

/** Each change of a listing's asking price. */
export const priceChanges = sqliteTable(
  "price_changes",
  {
    id: id(),
    phoneId: text("phone_id").notNull(),
    oldCents: integer("old_cents").notNull(),
    newCents: integer("new_cents").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("price_changes_phone").on(table.phoneId, table.id)],
);

export const reports = sqliteTable("reports", {
  id: id(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  details: text("details").notNull(),
  createdAt: createdAt(),
  /** Names the filled-in form, so that a form sent twice makes one report. */
  formKey: text("form_key").unique(),
});

/** Each deletion of a user, a listing or an order, kept so that it can be undone. */
export const removals = sqliteTable("removals", {
  id: id(),
  kind: text("kind", { enum: ["user", "phone", "order"] }).notNull(),
  targetId: text("target_id").notNull(),
  /** Who removed it, and so may undo it. */
  actorId: text("actor_id").notNull(),
  createdAt: createdAt(),
  /** When it was taken back. */
  undoneAt: moment("undone_at"),
});

/** What administrators did. Rows are never deleted or updated. */
export const activity = sqliteTable("activity", {
  id: id(),
  actorId: text("actor_id").notNull(),
  actorEmail: text("actor_email").notNull(),
  action: text("action", {
    enum: ["verified seller", "deleted user", "deleted listing", "deleted order", "undid deletion"],
  }).notNull(),
  targetId: text("target_id").notNull(),
  /** The target's e-mail address or device name at that time. */
  target: text("target").notNull(),
  createdAt: createdAt(),
});

/**
 * Responses to API requests with an Idempotency-Key, for retries. Key and body are stored only as keyed hashes: a
 * body may hold a password.
 */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** A hash of account, path and key. */
    id: text("id").primaryKey(),
    bodyHash: text("body_hash").notNull(),
    /** The same for all retries, so that they store one record at most. */
    name: text("name").notNull(),
    /** Null while the first request is in progress. */
    status: integer("status"),
    /** The response's JSON. */
    response: text("response"),
    createdAt: createdAt(),
  },
  (table) => [index("idempotency_keys_created_at").on(table.createdAt)],
);

/** A random mark for each thing that is watched; triggers renew it whenever what it stands for changes. */
export const revisions = sqliteTable("revisions", {
  /** "phones": all that the public lists of phones show. */
  name: text("name").primaryKey(),
  mark: text("mark").notNull(),
});
