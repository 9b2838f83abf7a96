import { and, inArray, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { tileColumns } from "../listings/listings.server.ts";

const maxTiles = 12;

/** Loads at most twelve listings in the order of their ids: sold ones too, without removed and unknown ones. */
export async function findTiles(db: Db, ids: readonly string[]) {
  const wanted = [...new Set(ids)].slice(0, maxTiles);
  if (wanted.length === 0) return [];
  const found = await db
    .select({ ...tileColumns, usualCents: usualPriceColumn(db) })
    .from(phones)
    .where(and(inArray(phones.id, wanted), isNull(phones.hiddenById)));
  return found.sort((one, other) => wanted.indexOf(one.id) - wanted.indexOf(other.id));
}
