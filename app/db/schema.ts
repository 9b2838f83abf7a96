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
  activityActions,
  alertFrequencies,
  conditions,
  decisionKinds,
  deviceCategories,
  deviceTypes,
  notificationKinds,
  oneTimeTokenPurposes,
  operatingSystems,
  orderStages,
  orderStepKinds,
  phoneStatuses,
  reportTargets,
  reviewRoles,
  roles,
  savedListingNews,
  tokenScopes,
} from "./values.ts";

/** A time-ordered string: sorting by id sorts by creation. */
const id = () => text("id").primaryKey().$defaultFn(timeOrderedId);
const timestamp = (name: string) => integer(name, { mode: "timestamp_ms" });
const createdAt = () =>
  timestamp("created_at")
    .notNull()
    .$defaultFn(() => new Date());

/** The removal (soft deletion) that hides the row, see `removals`; null while it is visible. */
const removalId = () => text("removal_id");

export const users = sqliteTable(
  "users",
  {
    id: id(),
    name: text("name").notNull(),
    /** As entered; compared without case. */
    email: text("email").notNull(),
    /** bcrypt; null for accounts without a password. */
    passwordHash: text("password_hash"),
    /** Google's user id, which stays the same when the email address changes. */
    googleSubject: text("google_subject"),
    userType: text("user_type", { enum: roles }).notNull(),
    /** "yes" once an administrator has verified the seller. */
    verified: text("verified", { enum: ["yes"] }),
    emailVerifiedAt: timestamp("email_verified_at"),
    createdAt: createdAt(),
    removalId: removalId(),
    /** The decision that suspends the account, see `decisions`; null unless suspended. */
    suspensionId: text("suspension_id"),
    /** The end of the suspension; null if it is for good. */
    suspendedUntil: timestamp("suspended_until"),
  },
  (table) => [
    uniqueIndex("users_email").on(sql`lower(${table.email})`).where(sql`${table.removalId} is null`),
    uniqueIndex("users_google_subject").on(table.googleSubject).where(sql`${table.removalId} is null`),
    // Login also looks up removed and unknown addresses, which must not scan the table.
    index("users_email_ever").on(sql`lower(${table.email})`),
    index("users_user_type").on(table.userType, table.id),
    // For tables of users: sorted by name, and the names that begin with some letters. Covers counting them.
    index("users_name").on(sql`lower(${table.name})`, table.id, table.removalId),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    /** 256 random bits, also in a signed cookie. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: timestamp("expires_at").notNull(),
    /** To the hour. 0 in rows older than this column, so read the later of it and `createdAt`. */
    lastSeenAt: timestamp("last_seen_at").notNull().default(sql`0`),
    device: text("device").notNull().default("Unknown device"),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The credential id, base64url. */
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** Signature counter; a lower value means a cloned key. Many authenticators leave it at 0. */
    counter: integer("counter").notNull(),
    /** "internal", "hybrid", "usb" and so on. */
    transports: text("transports", { mode: "json" }).$type<string[]>().notNull(),
    /** Whether it is synchronised beyond its device. */
    backedUp: integer("backed_up", { mode: "boolean" }).notNull(),
    /** For the account page: its provider or device. */
    name: text("name").notNull(),
    createdAt: createdAt(),
    lastUsedAt: timestamp("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** OAuth `state` values that have been used, stored until their cookies expire so that each works once. */
export const usedOauthStates = sqliteTable("used_oauth_states", {
  state: text("state").primaryKey(),
  usedAt: timestamp("used_at").notNull(),
});

/** Failed logins for each email address, whether it has an account or not. */
export const loginAttempts = sqliteTable(
  "log_in_attempts",
  {
    /** A keyed hash of the address, alone or with the device. */
    key: text("key").primaryKey(),
    /** Failed attempts since the last successful login. */
    attempts: integer("attempts").notNull(),
    lastAt: timestamp("last_at").notNull(),
    blockedUntil: timestamp("blocked_until").notNull(),
  },
  (table) => [index("log_in_attempts_last_at").on(table.lastAt)],
);

/** Tokens that work once: links in emails, and challenges of passkeys. */
export const oneTimeTokens = sqliteTable(
  "one_time_tokens",
  {
    /** SHA-256 of the token in hex; the token itself is not stored. */
    id: text("id").primaryKey(),
    purpose: text("purpose", { enum: oneTimeTokenPurposes }).notNull(),
    /** Null for a passkey login, where the account is not known yet. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The account's email address when the token was issued. */
    email: text("email"),
    createdAt: createdAt(),
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [
    index("one_time_tokens_user").on(table.userId, table.purpose),
    index("one_time_tokens_expiry").on(table.expiresAt),
  ],
);

/** Bearer tokens that people make for their programs. */
export const personalAccessTokens = sqliteTable(
  "personal_access_tokens",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    scope: text("scope", { enum: tokenScopes }).notNull(),
    /** SHA-256 of the token in hex; the token itself is not stored. */
    tokenHash: text("token_hash").notNull().unique(),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").notNull(),
    createdAt: createdAt(),
    expiresAt: timestamp("expires_at").notNull(),
    /** To the hour. */
    lastUsedAt: timestamp("last_used_at"),
  },
  (table) => [uniqueIndex("personal_access_tokens_form_key").on(table.userId, table.formKey)],
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
    /** Months, or free text. */
    usedTime: text("used_time").notNull(),
    status: text("status", { enum: phoneStatuses }).notNull().default("available"),
    createdAt: createdAt(),
    removalId: removalId(),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key"),
    /** Ascending in order of creation; set by a trigger. */
    number: integer("number"),
    /** Set by a trigger; see docs/search.md. */
    variantId: integer("variant_id"),
    /** A copy of the seller's verification, kept by a trigger. */
    sellerVerified: integer("seller_verified", { mode: "boolean" }).notNull().default(false),
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
    cover: text("cover"),
    condition: text("condition", { enum: conditions }),
    /** In per cent of the original capacity. */
    batteryHealth: integer("battery_health"),
    /** A keyed hash; the IMEI itself is not stored. */
    imeiHash: text("imei_hash"),
  },
  (table) => [
    uniqueIndex("phones_number").on(table.number),
    uniqueIndex("phones_form_key").on(table.sellerId, table.formKey),
    // Prevents two listings of one device. Sold listings have no IMEI.
    uniqueIndex("phones_imei")
      .on(table.imeiHash)
      .where(sql`${table.imeiHash} is not null and ${table.removalId} is null`),
    index("phones_kind").on(table.deviceType, table.os, table.id),
    index("phones_seller").on(table.sellerId, table.id),
    index("phones_price").on(table.sellingCents, table.id),
    // For moderators: listings with the same text, and an IMEI that was listed before. drizzle-kit splits expressions
    // at commas, so the migration has the first one corrected by hand.
    index("phones_same_text")
      .on(sql`substr("selling_reason", 1, 60)`)
      .where(sql`length("selling_reason") >= 20`),
    index("phones_imei_ever").on(table.imeiHash).where(sql`${table.imeiHash} is not null`),
    index("phones_brand").on(sql`lower(${table.brandName})`, table.id),
    index("phones_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
    // For the job that deletes photos of removed listings.
    index("phones_removed_with_photos")
      .on(table.removalId)
      .where(sql`${table.removalId} is not null and ${table.cover} is not null`),
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
  "condition",
  "batteryHealth",
] as const;

/** A partial index of the listed phones: a key, followed by all columns that lists filter by. */
function listIndex(name: string, key: [SQLiteColumn, ...SQLiteColumn[]], table: ListColumns) {
  const others = listColumns.map((column) => table[column]).filter((column) => !key.includes(column));
  return index(name)
    .on(...key, ...others)
    .where(sql`"listed"`);
}

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

/** The photos of listings. The bucket holds the files in several sizes, under the photo's id. */
export const photos = sqliteTable(
  "photos",
  {
    /** 256 random bits, so that URLs cannot be guessed. */
    id: text("id").primaryKey(),
    /** Null after deletion, until a job has deleted the files. Not a foreign key: the row may outlive its listing. */
    phoneId: text("phone_id"),
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
  ],
);

export const bookings = sqliteTable(
  "bookings",
  {
    id: id(),
    // No foreign keys: an order stays readable after its listing or an account is removed.
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
    removalId: removalId(),
    /** Idempotency key of the request that created it. */
    formKey: text("form_key"),
    /** A cancelled order keeps its last stage. */
    stage: text("stage", { enum: orderStages }).notNull().default("reserved"),
  },
  (table) => [
    uniqueIndex("bookings_form_key").on(table.buyerId, table.formKey),
    // Prevents two active orders of one phone.
    uniqueIndex("bookings_one_active_per_phone").on(table.phoneId).where(sql`${table.status} = 'active'`),
    index("bookings_buyer").on(table.buyerId, table.id),
    // All orders of a phone, also the cancelled ones.
    index("bookings_phone").on(table.phoneId, table.id),
    index("bookings_price").on(table.priceCents, table.id),
    // The order number is the end of the id.
    index("bookings_number").on(sql`substr(${table.id}, -12)`),
    index("bookings_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
    // Covers the sale prices of a model, newest first.
    index("bookings_sales")
      .on(sql`lower(${table.productName})`, table.id, table.rom, table.priceCents)
      .where(sql`${table.status} = 'active'`),
  ],
);

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
    // For the job that invites buyers to review.
    index("order_steps_received").on(table.createdAt).where(sql`${table.kind} = 'received'`),
    // Each of these steps occurs once per order, but an order may be cancelled and reinstated several times.
    uniqueIndex("order_steps_once")
      .on(table.orderId, table.kind)
      .where(sql`${table.kind} in ('reserved', 'handed over', 'received')`),
  ],
);

/** Reviews of an order: by its buyer about the seller, and by its seller about the buyer. */
export const reviews = sqliteTable(
  "reviews",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    authorRole: text("author_role", { enum: reviewRoles }).notNull(),
    authorId: text("author_id").notNull(),
    /** The account that is rated. */
    subjectId: text("subject_id").notNull(),
    /** 1 to 5. */
    stars: integer("stars").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    editedAt: timestamp("edited_at"),
    /** When others can see it: at once if both sides have reviewed the order, else 14 days after its creation. */
    publishedAt: timestamp("published_at").notNull(),
    reply: text("reply"),
    repliedAt: timestamp("replied_at"),
    /** The decision that hides the review, see `decisions`; null while it is shown and counts. */
    hiddenById: text("hidden_by_id"),
  },
  (table) => [
    uniqueIndex("reviews_order").on(table.orderId, table.authorRole),
    index("reviews_subject").on(table.subjectId, table.authorRole, table.id),
    // Covers the rating of an account.
    index("reviews_rating")
      .on(table.subjectId, table.authorRole, table.publishedAt, table.stars)
      .where(sql`${table.hiddenById} is null`),
    index("reviews_author").on(table.authorId, table.id),
    // For the job that tells of published reviews.
    index("reviews_published_at").on(table.publishedAt),
  ],
);

/** A conversation about a listing; a row of `conversation_sides` for each of its two people. */
export const conversations = sqliteTable(
  "conversations",
  {
    id: id(),
    // No foreign keys: a conversation stays readable after its listing or an account is removed.
    phoneId: text("phone_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    /** Brand and model when it began. */
    productName: text("product_name").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("conversations_phone_buyer").on(table.phoneId, table.buyerId),
    // For the limit of new conversations.
    index("conversations_buyer").on(table.buyerId, table.id),
  ],
);

/** A conversation as one of its two people has it. */
export const conversationSides = sqliteTable(
  "conversation_sides",
  {
    conversationId: text("conversation_id").notNull(),
    userId: text("user_id").notNull(),
    otherId: text("other_id").notNull(),
    /** The newest message, by which conversations are sorted. */
    lastMessageId: text("last_message_id").notNull(),
    /** How many messages of the other person are unread. */
    unread: integer("unread").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index("conversation_sides_user").on(table.userId, table.lastMessageId),
    index("conversation_sides_unread").on(table.userId, table.unread).where(sql`${table.unread} > 0`),
  ],
);

export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    conversationId: text("conversation_id").notNull(),
    senderId: text("sender_id").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** Idempotency key of the request that created it. */
    formKey: text("form_key"),
    /** The decision that hides the text from both sides. */
    hiddenById: text("hidden_by_id"),
  },
  (table) => [
    index("messages_conversation").on(table.conversationId, table.id),
    index("messages_sender").on(table.senderId, table.id),
    uniqueIndex("messages_form_key").on(table.senderId, table.formKey),
  ],
);

/** Who has blocked whom: neither can send messages to the other. */
export const blocks = sqliteTable(
  "blocks",
  {
    blockerId: text("blocker_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blockedId: text("blocked_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index("blocks_blocked").on(table.blockedId),
  ],
);

/** What a user is told of, written in the batch of the event itself; emails follow from these rows. */
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
    /** The page that it leads to. */
    path: text("path").notNull(),
    /** Names the event, so that a user is told of it once: "booked ORDER". */
    event: text("event").notNull(),
    createdAt: createdAt(),
    readAt: timestamp("read_at"),
    /** When its email was queued, or none was found to be wanted. */
    emailQueuedAt: timestamp("email_queued_at"),
  },
  (table) => [
    uniqueIndex("notifications_event").on(table.userId, table.event),
    index("notifications_user").on(table.userId, table.id),
    index("notifications_unread").on(table.userId, table.path).where(sql`${table.readAt} is null`),
    index("notifications_email_due").on(table.id).where(sql`${table.emailQueuedAt} is null`),
    // For the job that deletes old ones.
    index("notifications_read_at").on(table.readAt).where(sql`${table.readAt} is not null`),
  ],
);

/** Searches whose owners want to know of new matches, in the form that listings are matched in: see docs/search.md. */
export const savedSearches = sqliteTable(
  "saved_searches",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    category: text("category", { enum: ["products", ...deviceCategories] }).notNull(),
    /** The query string of the list, normalized: "?q=iphone&to=300". */
    query: text("query").notNull(),
    frequency: text("frequency", { enum: alertFrequencies }).notNull(),
    createdAt: createdAt(),
    /** Lists of tokens; the text of a matching listing has one of each list. */
    clauses: text("clauses", { mode: "json" }).$type<string[][]>().notNull(),
    fromCents: integer("from_cents").notNull(),
    toCents: integer("to_cents").notNull(),
    /** Matches since the owner last opened the search. */
    newCount: integer("new_count").notNull().default(0),
    /** The ids of the listings that matched last, newest first. */
    matchedIds: text("matched_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Matches that no notification has told of yet. */
    untoldCount: integer("untold_count").notNull().default(0),
    /** When the owner was last told, at first the time of creation. */
    toldAt: timestamp("told_at").notNull(),
  },
  (table) => [
    uniqueIndex("saved_searches_query").on(table.userId, table.category, table.query),
    index("saved_searches_due").on(table.frequency, table.toldAt).where(sql`${table.untoldCount} > 0`),
  ],
);

/** The inverted index of saved searches: each is found by the tokens of its rarest clause. */
export const savedSearchKeys = sqliteTable(
  "saved_search_keys",
  {
    key: text("key").notNull(),
    /** A copy, so that listings find no searches that they are too expensive for. */
    toCents: integer("to_cents").notNull(),
    searchId: text("search_id")
      .notNull()
      .references(() => savedSearches.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.toCents, table.searchId] }),
    index("saved_search_keys_search").on(table.searchId),
  ],
);

/** Published and edited listings that are to be matched with the saved searches, with what they were before. */
export const unmatchedListings = sqliteTable(
  "unmatched_listings",
  {
    phoneId: text("phone_id").primaryKey(),
    /** Time-ordered, and new with each edit. */
    revision: text("revision").notNull().$defaultFn(timeOrderedId),
    /** Null for a new listing, as are the others then. */
    oldVariantId: integer("old_variant_id"),
    /** The lowest price so far. */
    oldCents: integer("old_cents"),
    oldCondition: text("old_condition", { enum: conditions }),
    oldBatteryHealth: integer("old_battery_health"),
  },
  (table) => [index("unmatched_listings_revision").on(table.revision)],
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

/** Listings that users have saved. No foreign key to the listing, so that those who saved it are told of its deletion. */
export const savedListings = sqliteTable(
  "saved_listings",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    phoneId: text("phone_id").notNull(),
    /** The price when it was saved. */
    priceCents: integer("price_cents").notNull(),
    /** The lowest price that a notification told of. */
    toldCents: integer("told_cents"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("saved_listings_once").on(table.userId, table.phoneId),
    index("saved_listings_user").on(table.userId, table.id),
    index("saved_listings_phone").on(table.phoneId, table.userId),
  ],
);

/**
 * Changes of saved listings of which a job has to tell those who saved them. A trigger adds a row with what was before
 * the first of several changes, so that a booking that is cancelled at once is no news.
 */
export const savedListingChanges = sqliteTable(
  "saved_listing_changes",
  {
    id: text("id").primaryKey(),
    phoneId: text("phone_id").notNull(),
    /** The name of the device, since the listing may be deleted. */
    device: text("device").notNull(),
    wasAvailable: integer("was_available", { mode: "boolean" }).notNull(),
    oldCents: integer("old_cents").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** Null until the job has compared the listing as it is now. */
    kind: text("kind", { enum: savedListingNews }),
  },
  (table) => [
    uniqueIndex("saved_listing_changes_new").on(table.phoneId).where(sql`${table.kind} is null`),
    index("saved_listing_changes_created_at").on(table.createdAt),
  ],
);

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

export const reports = sqliteTable(
  "reports",
  {
    id: id(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    details: text("details").notNull(),
    createdAt: createdAt(),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").unique(),
    removalId: removalId(),
  },
  (table) => [
    index("reports_email").on(sql`lower(${table.email})`, table.id),
    index("reports_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
  ],
);

/** Reports of content and people to moderators. */
export const contentReports = sqliteTable(
  "content_reports",
  {
    id: id(),
    kind: text("kind", { enum: reportTargets }).notNull(),
    /** A listing, a review, a message or, for a seller, an account. */
    targetId: text("target_id").notNull(),
    /** The account that is responsible for the target. */
    ownerId: text("owner_id").notNull(),
    reporterId: text("reporter_id").notNull(),
    reason: text("reason").notNull(),
    details: text("details").notNull(),
    createdAt: createdAt(),
    /** Null while the report is open. */
    decisionId: text("decision_id"),
  },
  (table) => [
    uniqueIndex("content_reports_one_open")
      .on(table.kind, table.targetId, table.reporterId)
      .where(sql`${table.decisionId} is null`),
    index("content_reports_target").on(table.kind, table.targetId, table.id),
    index("content_reports_reporter").on(table.reporterId, table.id),
    index("content_reports_decision").on(table.decisionId),
  ],
);

/**
 * Decisions of moderators. One that hides listings is the `removal_id` of these; each has a row of the same id in
 * `removals`, to undo it.
 */
export const decisions = sqliteTable(
  "decisions",
  {
    id: id(),
    kind: text("kind", { enum: decisionKinds }).notNull(),
    targetKind: text("target_kind", { enum: reportTargets }).notNull(),
    targetId: text("target_id").notNull(),
    /** The name of the device or person then. */
    target: text("target").notNull(),
    ownerId: text("owner_id").notNull(),
    /** Null for a listing that was held automatically. */
    actorId: text("actor_id"),
    /** What the owner is told. */
    reason: text("reason").notNull(),
    /** The end of a suspension; null if it is for good. */
    until: timestamp("until"),
    createdAt: createdAt(),
    /** When it was undone, reversed or over; null while it is in force. */
    endedAt: timestamp("ended_at"),
    /** The decision that this one approves, upholds or reverses, or the hold that it replaces. */
    previousId: text("previous_id"),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").unique(),
    /** What the owner answered, once. */
    answer: text("answer"),
    answeredAt: timestamp("answered_at"),
  },
  (table) => [
    index("decisions_owner").on(table.ownerId, table.id),
    index("decisions_target").on(table.targetKind, table.targetId, table.id),
    index("decisions_previous").on(table.previousId).where(sql`${table.previousId} is not null`),
    index("decisions_held").on(table.id).where(sql`${table.kind} = 'hold' and ${table.endedAt} is null`),
    index("decisions_suspended")
      .on(table.until)
      .where(sql`${table.kind} = 'suspend' and ${table.endedAt} is null`),
    index("decisions_answered")
      .on(table.answeredAt)
      .where(sql`${table.answeredAt} is not null and ${table.endedAt} is null`),
  ],
);

/**
 * Keyed hashes of the network addresses from which accounts were made in the last days, so that moderators see many
 * from one address.
 */
export const signUpAddresses = sqliteTable(
  "sign_up_addresses",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    addressHash: text("address_hash").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("sign_up_addresses_address").on(table.addressHash),
    index("sign_up_addresses_created_at").on(table.createdAt),
  ],
);

/**
 * Deletions of users, listings, orders and reports, and decisions of moderators, which can be undone. Rows stay until
 * what they removed is purged.
 */
export const removals = sqliteTable("removals", {
  id: id(),
  kind: text("kind", { enum: ["user", "phone", "order", "report", "decision"] }).notNull(),
  targetId: text("target_id").notNull(),
  /** Empty for an account that its owner closed, which cannot be undone. */
  actorId: text("actor_id").notNull(),
  createdAt: createdAt(),
  undoneAt: timestamp("undone_at"),
});

/** Actions of administrators, with names as they were then. Rows are never deleted, but names are when people are erased. */
export const activity = sqliteTable(
  "activity",
  {
    id: id(),
    actorId: text("actor_id").notNull(),
    actorEmail: text("actor_email").notNull(),
    action: text("action", { enum: activityActions }).notNull(),
    targetId: text("target_id").notNull(),
    /** An email address, a device name, or the name of a table with its filters. */
    target: text("target").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("activity_target").on(table.targetId, table.id),
    index("activity_action").on(table.action, table.id),
    index("activity_actor").on(sql`lower(${table.actorEmail})`, table.id),
  ],
);

/**
 * Responses to API requests with an Idempotency-Key, for retries. Key and body are stored only as keyed hashes: a
 * body may hold a password.
 */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** A hash of client, path and key. */
    id: text("id").primaryKey(),
    bodyHash: text("body_hash").notNull(),
    /** The same for all retries, so that they store one record at most. */
    name: text("name").notNull(),
    /** Null while the first request is in progress. */
    status: integer("status"),
    response: text("response"),
    createdAt: createdAt(),
  },
  (table) => [index("idempotency_keys_created_at").on(table.createdAt)],
);

/** What happened on each day, for administrators. A job counts it; without the rows that were removed since. */
export const dailyNumbers = sqliteTable("daily_numbers", {
  /** Days since January 1, 1970, in UTC. */
  day: integer("day").primaryKey(),
  signUps: integer("sign_ups").notNull(),
  listings: integer("listings").notNull(),
  bookings: integer("bookings").notNull(),
  /** How many of the day's bookings have been cancelled, on whichever day. */
  cancelled: integer("cancelled").notNull(),
  /** Orders that were received. */
  sales: integer("sales").notNull(),
  salesCents: integer("sales_cents").notNull(),
  /** How many of the sales took how many days from the publication of the listing: `{ "12": 3 }`. */
  daysToSale: text("days_to_sale", { mode: "json" }).$type<Record<string, number>>().notNull(),
});

/** How often a model was booked and saved on a day, in the spelling of its sellers. */
export const dailyDemand = sqliteTable(
  "daily_demand",
  {
    day: integer("day").notNull(),
    /** Brand and model. */
    model: text("model").notNull(),
    bookings: integer("bookings").notNull(),
    saves: integer("saves").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.model] })],
);

/** Days whose numbers are to be counted or counted again. Triggers add the day of each row that changes. */
export const uncountedDays = sqliteTable("uncounted_days", { day: integer("day").primaryKey() });

/** How often the page or the details of a listing were opened, for its seller. */
export const listingViews = sqliteTable("listing_views", {
  phoneId: text("phone_id")
    .primaryKey()
    .references(() => phones.id, { onDelete: "cascade" }),
  views: integer("views").notNull(),
});

export const revisions = sqliteTable("revisions", {
  /** "phones": everything that public lists show. */
  name: text("name").primaryKey(),
  revision: text("revision").notNull(),
});
