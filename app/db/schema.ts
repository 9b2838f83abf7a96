import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";

/** Every table has a time-ordered string as its key, so that key order is the order of creation. */
const id = () => text("id").primaryKey().$defaultFn(timeOrderedId);
const moment = (name: string) => integer(name, { mode: "timestamp_ms" });
const createdAt = () =>
  moment("created_at")
    .notNull()
    .$defaultFn(() => new Date());

export const roles = ["Buyer", "Seller", "Admin"] as const;
export type Role = (typeof roles)[number];

export const users = sqliteTable(
  "users",
  {
    id: id(),
    name: text("name").notNull(),
    /** As its owner writes it; compared without case. */
    email: text("email").notNull(),
    /** bcrypt; null for accounts that sign in another way. */
    passwordHash: text("password_hash"),
    userType: text("user_type", { enum: roles }).notNull(),
    /** "yes" once an administrator has verified the seller. */
    verified: text("verified", { enum: ["yes"] }),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("users_email").on(sql`lower(${table.email})`),
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
  },
  (table) => [index("sessions_user").on(table.userId)],
);

export const operatingSystems = ["Android", "Ios"] as const;
export const deviceTypes = ["Smart Phone", "Tablet"] as const;
export const phoneStatuses = ["available", "reserved", "sold"] as const;

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
  },
  (table) => [
    index("phones_shelf").on(table.deviceType, table.os, table.id),
    index("phones_seller").on(table.sellerId, table.id),
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
  },
  (table) => [
    // The last word when several buyers want one phone.
    uniqueIndex("bookings_one_active_per_phone").on(table.phoneId).where(sql`${table.status} = 'active'`),
    index("bookings_buyer").on(table.buyerId, table.id),
  ],
);

export const reports = sqliteTable("reports", {
  id: id(),
  name: text("name").notNull(),
  email: text("email").notNull(),
  details: text("details").notNull(),
  createdAt: createdAt(),
});
