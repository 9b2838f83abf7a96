import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, phones } from "#app/db/schema.ts";
import { type FairPrice, fairPriceOf } from "./fair-price.rules.ts";

/** Older sales tell less than newer ones, and a page needs no more. */
const mostSales = 200;

/**
 * What this model with this storage sold for here, from the newest orders that are not cancelled: reserved, handed
 * over or received. EmailContent case does not matter, nor do spaces in the storage ("128GB" is "128 GB"). Prices in cents.
 *
 * @returns null when fewer than three have been sold
 */
export async function fairPrice(
  db: Db,
  { brandName, model, rom }: { brandName: string; model: string; rom: string },
): Promise<FairPrice | null> {
  return fairPriceOf(await salesOf(db, sql`${`${brandName.trim()} ${model.trim()}`}`, sql`${rom}`));
}

/** The same for what a listing is, in one question; null also when there is no such listing. */
export async function fairPriceOfListing(db: Db, phoneId: string): Promise<FairPrice | null> {
  const of = (column: SQL) => sql`(select ${column} from ${phones} where ${phones.id} = ${phoneId})`;
  const name = sql`trim(${phones.brandName}) || ' ' || trim(${phones.model})`;
  return fairPriceOf(await salesOf(db, of(name), of(sql`${phones.rom}`)));
}

/** The newest sales of what has this name and storage, in cents. */
async function salesOf(db: Db, name: SQL, rom: SQL): Promise<number[]> {
  const sales = await db
    .select({ cents: bookings.priceCents })
    .from(bookings)
    .where(
      and(
        sql`lower(${bookings.productName}) = lower(${name})`,
        sql`replace(lower(${bookings.rom}), ' ', '') = replace(lower(${rom}), ' ', '')`,
        eq(bookings.status, sql`'active'`),
      ),
    )
    .orderBy(desc(bookings.id))
    .limit(mostSales);
  return sales.map(({ cents }) => cents);
}
