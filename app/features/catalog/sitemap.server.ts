import { and, asc, gt, inArray, isNotNull, isNull, lte, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { deviceVariants, phones, usualPrices } from "#app/db/schema.ts";
import { modelPath, pricesPath } from "../listings/device-variant.rules.ts";

/** Maximum number of URLs in one part; the protocol allows 50,000. */
export const urlsPerPart = 10_000;

const batchSize = 2500;

export async function sitemapParts(db: Db): Promise<{ listings: number; models: number }> {
  const [[listing], [variant]] = await db.batch([
    db.select({ last: sql<number | null>`max(${phones.number})` }).from(phones),
    db.select({ last: sql<number | null>`max(${deviceVariants.id})` }).from(deviceVariants),
  ]);
  return {
    listings: Math.ceil((listing?.last ?? 0) / urlsPerPart),
    models: Math.ceil((variant?.last ?? 0) / urlsPerPart),
  };
}

/** Streams in batches, so that memory use stays constant. Parts count from 1. */
export async function* listingsOfPart(db: Db, part: number): AsyncGenerator<string[], void> {
  const last = part * urlsPerPart;
  for (let from = last - urlsPerPart; from < last; from += batchSize) {
    const rows = await db
      .select({ id: phones.id })
      .from(phones)
      .where(
        and(
          gt(phones.number, from),
          lte(phones.number, Math.min(from + batchSize, last)),
          inArray(phones.status, ["available", "reserved"]),
          isNull(phones.hiddenById),
        ),
      )
      .orderBy(asc(phones.number));
    yield rows.map(({ id }) => id);
  }
}

/**
 * Streams the paths of models, and of their prices where there are any, in batches. A model is in the part of its first
 * listed variant.
 */
export async function* modelsOfPart(db: Db, part: number): AsyncGenerator<string[], void> {
  const last = part * urlsPerPart;
  for (let from = last - urlsPerPart; from < last; from += batchSize) {
    const rows = await db
      .select({
        slug: deviceVariants.modelSlug,
        hasPrices: hasRow(
          db,
          usualPrices,
          and(
            sql`${usualPrices.device} = lower(${deviceVariants.brand} || ' ' || ${deviceVariants.model})`,
            isNotNull(usualPrices.medianCents),
          ),
        )
          .mapWith(Boolean)
          .as("has_prices"),
      })
      .from(deviceVariants)
      .where(
        and(
          gt(deviceVariants.id, from),
          lte(deviceVariants.id, Math.min(from + batchSize, last)),
          gt(deviceVariants.listed, 0),
          ne(deviceVariants.modelSlug, ""),
          sql`not exists (select 1 from device_variants as earlier where earlier.model_slug = ${deviceVariants.modelSlug}
            and earlier.id < ${deviceVariants.id} and earlier.listed > 0)`,
        ),
      )
      .orderBy(asc(deviceVariants.id));
    yield rows.flatMap(({ slug, hasPrices }) => [modelPath(slug), ...(hasPrices ? [pricesPath(slug)] : [])]);
  }
}
