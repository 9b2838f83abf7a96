import { desc, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { deviceTypes, operatingSystems } from "#app/db/values.ts";
import type { Category } from "../phones/category.rules.ts";
import { isListed } from "../phones/phones.server.ts";

/** How many of a category's newest phones a feed tells of. */
const told = 50;

/** The newest phones of a category, newest first; prices in cents. Each kind on it is read from its own end. */
export function newestPhones(db: Db, { only }: Pick<Category, "only">) {
  const kinds = deviceTypes.flatMap((deviceType) => operatingSystems.map((os) => ({ deviceType, os })));
  const newest = kinds
    .filter(({ os, deviceType }) => (only.os ?? os) === os && (only.deviceType ?? deviceType) === deviceType)
    .map((kind) =>
      db.select({ id: phones.id }).from(phones).where(isListed(kind)).orderBy(desc(phones.id)).limit(told),
    );
  const ids = sql.join(
    newest.map((query) => sql`select id from ${query}`),
    sql` union all `,
  );
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
    .where(sql`${phones.id} in (${ids})`)
    .orderBy(desc(phones.id))
    .limit(told);
}

/** A phone as a feed tells of it. */
export type ToldPhone = Awaited<ReturnType<typeof newestPhones>>[number];
