import { and, asc, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos, users } from "#app/db/schema.ts";
import { type Stated, statedFacts } from "../listings/attributes.ts";
import { attributeColumns } from "../listings/listings.server.ts";
import { privateDetailsIn } from "../listings/private-details.rules.ts";

/** Numbers of listings in one part, so that a request takes no more than the 1,000 queries that D1 allows. */
const numbersPerPart = 50_000;
/** Of one query. V8 frees texts over 128 KB late, so that those of larger queries pile up. */
const numbersPerQuery = 60;
const maxPhotos = 11;

export type FeedListing = Awaited<ReturnType<typeof selectFeedListings>>[number];

/** How many parts the feed has; at least one. */
export async function feedParts(db: Db, perPart = numbersPerPart): Promise<number> {
  const [row] = await db.select({ last: sql<number | null>`max(${phones.number})` }).from(phones);
  return Math.max(1, Math.ceil((row?.last ?? 0) / perPart));
}

/** Streams the listings of a part in batches. Parts count from 1. */
export async function* listingsOfFeed(
  db: Db,
  part: number,
  perPart = numbersPerPart,
): AsyncGenerator<FeedListing[], void> {
  const [row] = await db.select({ last: sql<number | null>`max(${phones.number})` }).from(phones);
  const last = Math.min(part * perPart, row?.last ?? 0);
  for (let from = (part - 1) * perPart; from < last; from += numbersPerQuery) {
    const found = await selectFeedListings(db, from, Math.min(from + numbersPerQuery, last));
    yield found.filter(isFitForFeed);
  }
}

/** Selects what may be sold and has photos of its own, of sellers who want to be in the feed. */
function selectFeedListings(db: Db, from: number, to: number) {
  const shown = db
    .select({ id: photos.id })
    .from(photos)
    .where(eq(photos.phoneId, phones.id))
    .orderBy(asc(photos.position))
    .limit(maxPhotos);
  return db
    .select({
      id: phones.id,
      sellerId: phones.sellerId,
      ...attributeColumns,
      status: phones.status,
      sellingCents: phones.sellingCents,
      returnDays: phones.returnDays,
      photos: sql<string[]>`(select json_group_array(id) from (${shown}))`
        .mapWith((ids: string) => JSON.parse(ids) as string[])
        .as("photo_ids"),
    })
    .from(phones)
    .innerJoin(users, and(eq(users.id, phones.sellerId), isNull(users.removalId), users.inProductFeed))
    .where(and(gt(phones.number, from), lte(phones.number, to), sql`listed`, isNotNull(phones.cover)))
    .orderBy(asc(phones.number));
}

/** Whether nothing in the feed leads elsewhere: what sellers type into a field can be contact details or another site's address. */
function isFitForFeed(listing: Stated): boolean {
  const texts = statedFacts(listing, ["city"]).map(({ value }) => value);
  return !texts.some((text) => privateDetailsIn(text).length > 0 || webAddress.test(text));
}

const webAddress =
  /\bhttps?:\/\/|\bwww\.|\b[a-z\d-]*[a-z][a-z\d-]*\.(?:com|net|org|info|biz|shop|store|online|site|website|xyz|top|app|link|click|io|co|me|de|uk|eu|us|ru|cn|gg|ly)\b/i;
