import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountEmailKinds, emailOutcomes, oneTimeTokenPurposes, roles, tokenScopes } from "../enums.ts";
import { createdAt, id, removalId, timestamp } from "./columns.ts";

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
    /** Whether an administrator has verified the seller. */
    verified: integer("verified", { mode: "boolean" }).notNull().default(false),
    emailVerifiedAt: timestamp("email_verified_at"),
    createdAt: createdAt(),
    removalId: removalId(),
    /** The decision that suspends the account, see `decisions`; null unless suspended. */
    suspensionId: text("suspension_id"),
    /** The end of the suspension; null if it is for good. */
    suspendedUntil: timestamp("suspended_until"),
    /** When an administrator made the account a moderator, whatever its role; null unless it is one. */
    moderatorSince: timestamp("moderator_since"),
    /** Counts how often all sessions were ended at once, so that a login under way is refused. */
    sessionVersion: integer("session_version").notNull().default(0),
    /** The last day with a session in use, in days since January 1, 1970, in UTC; null before there was one. */
    lastSeenDay: integer("last_seen_day"),
    /** The versions of the pages that the user accepted at sign-up, see `page_versions`; null if none was published. */
    termsVersionId: text("terms_version_id"),
    privacyVersionId: text("privacy_version_id"),
    /** What a seller says about the shop on its page; null if nothing. */
    shopText: text("shop_text"),
    /** In how many days buyers of the shop can change their mind about a protected order. */
    returnDays: integer("return_days").notNull().default(0),
    /** Whether the devices of the shop are in the product feed of search engines. */
    inProductFeed: integer("in_product_feed", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [
    uniqueIndex("users_email").on(sql`lower(${table.email})`).where(sql`${table.removalId} is null`),
    uniqueIndex("users_google_subject").on(table.googleSubject).where(sql`${table.removalId} is null`),
    // Login also looks up removed and unknown addresses, which must not scan the table.
    index("users_email_ever").on(sql`lower(${table.email})`),
    // The few that a filter of the table, the jobs and the conditions of decisions look for.
    index("users_moderators").on(table.id).where(sql`${table.moderatorSince} is not null`),
    index("users_suspended").on(table.id).where(sql`${table.suspensionId} is not null`),
    index("users_user_type").on(table.userType, table.id),
    // Sellers to verify, those who have waited longest first.
    index("users_verified").on(table.userType, table.verified, table.createdAt, table.id),
    // For tables of users: sorted by name.
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

/** The first login of each day, which administrators see in a user's timeline. */
export const logins = sqliteTable(
  "logins",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** In days since January 1, 1970, in UTC. */
    day: integer("day").notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("logins_user_day").on(table.userId, table.day)],
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
    /** The account's email address when the token was issued; for a change of it, the new one. */
    email: text("email"),
    createdAt: createdAt(),
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [
    index("one_time_tokens_user").on(table.userId, table.purpose),
    index("one_time_tokens_expiry").on(table.expiresAt),
  ],
);

/** Emails about accounts that are due, one of each kind. They hold no secret: a link's token is issued when it is sent. */
export const accountEmails = sqliteTable(
  "account_emails",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: accountEmailKinds }).notNull(),
    /** When it was last asked for. */
    createdAt: createdAt(),
    /** Why it was not sent; null while it is due. */
    emailOutcome: text("email_outcome", { enum: emailOutcomes }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind] }),
    index("account_emails_created_at").on(table.createdAt),
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
