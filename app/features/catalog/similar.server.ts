import { and, desc, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { tileColumns } from "../listings/phones.server.ts";
import { isListed } from "./feed.server.ts";

const maxSimilar = 4;

/** Candidates of each kind: the newest with the same device type and OS, the next cheaper and the next more expensive. */
const maxCandidates = 150;

/**
 * Finds up to four listed phones of the same device type and OS: available ones first, then the same brand, then the
 * closest price. It reads a fixed number of candidates, however many listings there are.
 */
export function similarTo(db: Db, id: string) {
  const original = alias(phones, "original");
  const of = (column: keyof typeof tileColumns | "os") =>
    sql`(select ${original[column]} from ${phones} as ${sql.identifier("original")} where ${original.id} = ${id})`;
  const candidates = sql`(
    select id from (select id from ${phones}
      where device_type = ${of("deviceType")} and os = ${of("os")} order by id desc limit ${maxCandidates})
    union select id from (select id from ${phones}
      where selling_cents >= ${of("sellingCents")} order by selling_cents, id limit ${maxCandidates})
    union select id from (select id from ${phones}
      where selling_cents < ${of("sellingCents")} order by selling_cents desc, id desc limit ${maxCandidates}))`;
  return db
    .select(tileColumns)
    .from(phones)
    .where(
      and(
        sql`${phones.id} in ${candidates}`,
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
    .limit(maxSimilar);
}
