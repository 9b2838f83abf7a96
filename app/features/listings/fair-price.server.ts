import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import { type FairPrice, fairPriceFromSales, maxSales } from "./fair-price.rules.ts";

/** Condition on `orders`: the device was sold. A booking alone says nothing about prices, since any user can make one. */
export const isSale = eq(orders.stage, sql`'received'`);

/** A listing's model, as orders name it. */
const nameColumn = sql`trim(${phones.brandName}) || ' ' || trim(${phones.model})`;

/**
 * The newest sale prices of a model with some storage, in cents. Letter case, and spaces in the storage, are ignored
 * ("128GB" equals "128 GB").
 *
 * @returns null if there are fewer than three sales
 */
export async function fairPrice(
  db: Db,
  { brandName, model, rom }: { brandName: string; model: string; rom: string },
): Promise<FairPrice | null> {
  const name = `${brandName.trim()} ${model.trim()}`;
  const sales = await newestSales(db, sql`${name}`, sql`${rom}`);
  return fairPriceFromSales(sales.map(({ cents }) => cents));
}

/** The sale prices that `fairPrice` takes for the model and storage of a listing; none if the listing does not exist. */
export function salesOfListing(db: Db, phoneId: string) {
  const of = (column: SQL) => sql`(select ${column} from ${phones} where ${phones.id} = ${phoneId})`;
  return newestSales(db, of(nameColumn), of(sql`${phones.rom}`));
}

/** The median of the sale prices that `fairPrice` takes for a listing, or null, as a column of a query on phones. */
export function usualPriceColumn(db: Db) {
  const prices = newestSales(db, nameColumn, sql`${phones.rom}`);
  // Not the median in SQL: its window functions read each sale several times.
  return sql`(select json_group_array(price_cents) from (${prices}))`
    .mapWith((sales: string) => fairPriceFromSales(JSON.parse(sales))?.median ?? null)
    .as("usual_cents");
}

/** The highest of the sale prices that `fairPrice` takes for a listing, as a column of a query on phones. */
export function highestSalePrice(db: Db) {
  const prices = newestSales(db, nameColumn, sql`${phones.rom}`);
  return sql<number | null>`(select max(price_cents) from (${prices}))`;
}

function newestSales(db: Db, name: SQL, rom: SQL) {
  return db
    .select({ cents: orders.priceCents })
    .from(orders)
    .where(
      and(
        sql`lower(${orders.productName}) = lower(${name})`,
        sql`replace(lower(${orders.rom}), ' ', '') = replace(lower(${rom}), ' ', '')`,
        isSale,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(maxSales);
}
