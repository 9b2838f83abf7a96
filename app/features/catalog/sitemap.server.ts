import { and, asc, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariants, phones } from "#app/db/schema.ts";
import { modelPath, modelPricesPath } from "../listings/device-variant.rules.ts";
import { hasUsualPrice } from "../listings/fair-price.server.ts";

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
 * Streams the paths of models with listings, and of the prices of models with a usual price, also if none is for sale, in
 * batches. A model is in the part of its first listed variant, its prices in that of its first.
 */
export async function* modelsOfSitemapPart(db: Db, part: number): AsyncGenerator<string[], void> {
  const earlier = sql`select 1 from device_variants as earlier
    where earlier.model_slug = device_variants.model_slug and earlier.id < device_variants.id`;
  const isListed = sql`(device_variants.listed > 0 and not exists (${earlier} and earlier.listed > 0))`;
  const isPriced = sql`(not exists (${earlier})
    and ${hasUsualPrice(db, sql`spelled.model_slug = device_variants.model_slug`)})`;
  const last = part * urlsPerPart;
  for (let from = last - urlsPerPart; from < last; from += batchSize) {
    const rows = await db
      .select({
        slug: deviceVariants.modelSlug,
        isListed: isListed.mapWith(Boolean).as("is_listed"),
        isPriced: isPriced.mapWith(Boolean).as("is_priced"),
      })
      .from(deviceVariants)
      .where(
        and(
          gt(deviceVariants.id, from),
          lte(deviceVariants.id, Math.min(from + batchSize, last)),
          ne(deviceVariants.modelSlug, ""),
          or(isListed, isPriced),
        ),
      )
      .orderBy(asc(deviceVariants.id));
    yield rows.flatMap((row) => [
      ...(row.isListed ? [modelPath(row.slug)] : []),
      ...(row.isPriced ? [modelPricesPath(row.slug)] : []),
    ]);
  }
}
