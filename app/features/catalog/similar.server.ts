import { and, desc, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { isListed, tileColumns } from "../listings/phones.server.ts";

/** How many are offered. */
const most = 4;

/** How many are looked at from each side: the newest of the kind, the next cheaper, the next dearer. */
const looked = 150;

/**
 * Up to four phones of the same kind that are listed: those that can be had first, then those of the same
 * brand, then the nearest in price. Only neighbours of the listing are looked at, the same number of them however
 * full the market is.
 */
export function similarTo(db: Db, id: string) {
  const it = alias(phones, "it");
  const of = (column: keyof typeof tileColumns | "os") =>
    sql`(select ${it[column]} from ${phones} as ${sql.identifier("it")} where ${it.id} = ${id})`;
  const neighbours = sql`(
    select id from (select id from ${phones}
      where device_type = ${of("deviceType")} and os = ${of("os")} order by id desc limit ${looked})
    union select id from (select id from ${phones}
      where selling_cents >= ${of("sellingCents")} order by selling_cents, id limit ${looked})
    union select id from (select id from ${phones}
      where selling_cents < ${of("sellingCents")} order by selling_cents desc, id desc limit ${looked}))`;
  return db
    .select(tileColumns)
    .from(phones)
    .where(
      and(
        sql`${phones.id} in ${neighbours}`,
        ne(phones.id, id),
        isListed({}),
        sql`+${phones.deviceType} = ${of("deviceType")}`,
        sql`+${phones.os} = ${of("os")}`,
      ),
    )
    .orderBy(
      desc(eq(phones.status, "available")),
      desc(sql`${phones.brandName} = ${of("brandName")}`),
      sql`abs(${phones.sellingCents} - ${of("sellingCents")})`,
      desc(phones.id),
    )
    .limit(most);
}
