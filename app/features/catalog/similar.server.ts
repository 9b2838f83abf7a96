import { and, desc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { tileColumns } from "../listings/listings.server.ts";
import { isListed } from "./feed.server.ts";

const maxSimilar = 4;

/** Candidates of each kind: listed ones of the same category, the next cheaper or as cheap, and the next more expensive. */
const maxCandidates = 15;

/**
 * Finds up to four listed phones of the same device type and OS: available ones first, then the same brand, then those
 * with photos of their seller, then the closest price. It reads a fixed number of candidates, however many listings there are.
 */
export function similarTo(db: Db, id: string) {
  const original = alias(phones, "original");
  const of = (column: keyof typeof tileColumns | "os" | "category") =>
    sql`(select ${original[column]} from ${phones} as ${sql.identifier("original")} where ${original.id} = ${id})`;
  const isCandidate = sql`listed and category = ${of("category")} and selling_cents`;
  const candidates = sql`(
    select rowid from (select rowid from ${phones} indexed by catalog_category_price
      where ${isCandidate} > ${of("sellingCents")} order by selling_cents, number limit ${maxCandidates})
    union all select rowid from (select rowid from ${phones} indexed by catalog_category_price
      where ${isCandidate} <= ${of("sellingCents")} order by selling_cents desc, number desc limit ${maxCandidates}))`;
  return db
    .select(tileColumns)
    .from(phones)
    .where(
      and(
        sql`${phones}.rowid in ${candidates}`,
        ne(phones.id, id),
        isListed({}),
        sql`+${phones.deviceType} = ${of("deviceType")}`,
        sql`+${phones.os} = ${of("os")}`,
      ),
    )
    .orderBy(
      desc(eq(phones.status, "available")),
      desc(sql`${phones.brandName} = ${of("brandName")}`),
      desc(isNotNull(phones.cover)),
      sql`abs(${phones.sellingCents} - ${of("sellingCents")})`,
      desc(phones.id),
    )
    .limit(maxSimilar);
}
