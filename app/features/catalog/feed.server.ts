import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import type { Category } from "../listings/category.rules.ts";
import { tileColumns } from "../listings/phones.server.ts";

const feedLength = 50;
const shownOnHome = 4;

/** Finds the newest listings of a category for its feed. */
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

export type FeedPhone = Awaited<ReturnType<typeof newestPhones>>[number];

/** Finds the newest listings that can be bought. */
export function newestAvailable(db: Db) {
  return db
    .select(tileColumns)
    .from(phones)
    .where(and(sql`listed`, eq(phones.status, "available")))
    .orderBy(desc(phones.number))
    .limit(shownOnHome);
}
