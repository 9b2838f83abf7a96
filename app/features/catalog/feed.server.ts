import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import type { Category } from "../listings/category.rules.ts";

/** How many of a category's newest phones a feed has. */
const feedLength = 50;

/** The newest phones of a category, newest first; prices in cents. */
export function newestPhones(db: Db, { key }: Pick<Category, "key">) {
  return db
    .select({
      id: phones.id,
      brandName: phones.brandName,
      model: phones.model,
      ram: phones.ram,
      rom: phones.rom,
      marketCents: phones.marketCents,
      sellingCents: phones.sellingCents,
      sellingReason: phones.sellingReason,
      createdAt: phones.createdAt,
    })
    .from(phones)
    .where(and(sql`listed`, key === "products" ? undefined : eq(phones.category, key)))
    .orderBy(desc(phones.number))
    .limit(feedLength);
}

/** A phone as a feed tells of it. */
export type FeedPhone = Awaited<ReturnType<typeof newestPhones>>[number];
