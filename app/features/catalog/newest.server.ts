import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { tileColumns } from "../listings/phones.server.ts";

const shownOnHome = 4;

/** Finds the newest listings that can be bought. */
export function newestAvailable(db: Db) {
  return db
    .select(tileColumns)
    .from(phones)
    .where(and(sql`listed`, eq(phones.status, "available")))
    .orderBy(desc(phones.number))
    .limit(shownOnHome);
}
