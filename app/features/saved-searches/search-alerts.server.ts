import { and, asc, eq, gt, isNull, lte, notInArray, or, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import {
  deviceVariants,
  notifications,
  phones,
  savedSearches,
  unmatchedListings,
  users,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { statedValues } from "../listings/unmatched-listings.server.ts";
import { absence, listingText, type MatchedListing, searchKeysOfListing } from "./search-matching.rules.ts";

/** People who are notified in one batch. */
const ownersAtOnce = 250;
/** Of one run of the job; the next run continues. */
const maxOwnerBatches = 80;

/** Matches new and cheaper listings with the saved searches, and notifies the owners of the matches that are due. */
export async function notifySavedSearchOwners(db: Db, now = new Date()): Promise<void> {
  await matchListings(db);
  for (let batch = 0; batch < maxOwnerBatches; batch += 1) {
    if ((await notifyOwners(db, now)) < ownersAtOnce) return;
  }
}

/** Writes one notification for each owner of searches that are due, and resets the counts of pending matches in the same batch. */
async function notifyOwners(db: Db, now: Date): Promise<number> {
  const { id, frequency, notifiedAt, pendingCount, userId } = savedSearches;
  const isDue = and(
    gt(pendingCount, 0),
    or(
      eq(frequency, "at once"),
      and(eq(frequency, "daily"), lte(notifiedAt, new Date(now.getTime() - dayMs))),
    ),
  );
  const owners = await db.selectDistinct({ userId }).from(savedSearches).where(isDue).limit(ownersAtOnce);
  if (owners.length === 0) return 0;
  const ownersJson = JSON.stringify(owners.map((owner) => [owner.userId, timeOrderedId()]));
  await db.batch([
    db
      .insert(notifications)
      .select(
        db
          .select(
            notificationValues("search match", {
              id: sql`owner.value ->> 1`,
              userId,
              subject: name,
              details,
              path,
              event: sql`'search match ' || min(${id}) || ' ' || (owner.value ->> 1)`,
            }),
          )
          .from(sql`json_each(${ownersJson}) as owner`)
          .crossJoin(savedSearches)
          .innerJoin(users, eq(users.id, userId))
          .where(and(sql`${userId} = owner.value ->> 0`, isDue, isNull(users.removalId)))
          .groupBy(userId),
      )
      .onConflictDoNothing(),
    db
      .update(savedSearches)
      .set({ pendingCount: 0, notifiedAt: now })
      .where(and(isDue, sql`${userId} in (select value ->> 0 from json_each(${ownersJson}))`)),
  ]);
  return owners.length;
}

// Of an owner's due searches; `min(id)` in the event makes other columns those of the oldest of them.
const { id, name, pendingCount, matchedIds } = savedSearches;

const details = sql`json_object('matches', ${pendingCount}, 'searches', count(*))`;

const path = sql`iif(count(*) > 1, '/manage/searches',
  iif(${pendingCount} = 1, '/phones/' || (${matchedIds} ->> 0), '/manage/searches/' || ${id}))`;

/** Listings that are matched in one statement. */
const listingsAtOnce = 100;
/** Of one run of the job; the next run continues. */
const maxListingBatches = 10;
/** Matching listings that a search remembers, the newest. */
const maxMatchedIds = 12;

/**
 * Matches published and edited listings with the saved searches and counts the matches of each search. A listing
 * matches a search when it is published, each time its price falls to a new low, when an attribute that lists filter by is
 * first stated, and when its device is corrected. A run that is interrupted has counted whole batches.
 *
 * @returns the number of listings that were read
 */
export async function matchListings(db: Db): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < maxListingBatches; batch += 1) {
    const rows = await readBatch(db);
    if (rows.length > 0) await countMatches(db, rows);
    count += rows.length;
    if (rows.length < listingsAtOnce) break;
  }
  return count;
}

type UnmatchedRow = Awaited<ReturnType<typeof readBatch>>[number];

const oldVariants = alias(deviceVariants, "old_variants");

/** Listings that are reserved wait until they are available again or sold. */
function readBatch(db: Db) {
  const { searchText, category, brand, rom, ram } = deviceVariants;
  const keysOf = (name: SQLWrapper) =>
    sql<string[]>`(select json_group_array(key) from brands where brands.name = ${name})`.mapWith(JSON.parse);
  return db
    .select({
      phoneId: unmatchedListings.phoneId,
      revision: unmatchedListings.revision,
      sellerId: phones.sellerId,
      isAvailable: sql`coalesce(${phones.listed} and ${phones.status} = 'available', 0)`
        .mapWith(Boolean)
        .as("is_available"),
      cents: phones.sellingCents,
      // Not columns: drizzle makes a joined object null if its first column is.
      stated: statedValues().mapWith(JSON.parse).as("stated"),
      sellerVerified: phones.sellerVerified,
      returnDays: phones.returnDays,
      variant: { searchText, category, brandKeys: keysOf(brand).as("brand_keys"), rom, ram },
      oldCents: unmatchedListings.oldCents,
      oldStated: unmatchedListings.oldStated,
      oldVariant: {
        searchText: sql<string>`${oldVariants.searchText}`.as("old_search_text"),
        category: sql<string>`${oldVariants.category}`.as("old_category"),
        brandKeys: keysOf(oldVariants.brand).as("old_brand_keys"),
        rom: sql<string>`${oldVariants.rom}`.as("old_rom"),
        ram: sql<string>`${oldVariants.ram}`.as("old_ram"),
      },
    })
    .from(unmatchedListings)
    .leftJoin(phones, eq(phones.id, unmatchedListings.phoneId))
    .leftJoin(deviceVariants, eq(deviceVariants.id, phones.variantId))
    .leftJoin(oldVariants, eq(oldVariants.id, unmatchedListings.oldVariantId))
    .where(or(isNull(phones.status), notInArray(phones.status, ["reserved", "paused"])))
    .orderBy(asc(unmatchedListings.revision))
    .limit(listingsAtOnce);
}

/** Counts the matches of a batch and removes it from the queue, in one transaction. */
async function countMatches(db: Db, rows: UnmatchedRow[]) {
  // Newest first: a search remembers the first of its matches.
  const listings = rows
    .filter(({ isAvailable }) => isAvailable)
    .map(toMatch)
    .reverse();
  const done = JSON.stringify(rows.map(({ phoneId, revision }) => [phoneId, revision]));
  await db.batch([
    db
      .update(savedSearches)
      .set({
        newMatchCount: sql`${savedSearches.newMatchCount} + ${notAmongLast(savedSearches.newMatchCount)}`,
        pendingCount: sql`${savedSearches.pendingCount}
          + iif(${savedSearches.frequency} = 'never', 0, ${notAmongLast(savedSearches.pendingCount)})`,
        matchedIds: newestMatches,
      })
      .from(sql`(${matchesOf(JSON.stringify(listings))}) as matched`)
      .where(sql`${savedSearches}.rowid = matched.search_rowid`),
    // Those edited since then stay.
    db
      .delete(unmatchedListings)
      .where(
        sql`(${unmatchedListings.phoneId}, ${unmatchedListings.revision}) in (select value ->> 0, value ->> 1 from json_each(${done}))`,
      ),
  ]);
}

/** The number of the batch's matches that are not among the search's last ones, which are counted already. */
function notAmongLast(counted: SQLWrapper) {
  return sql`matched.listings - (select count(*) from json_each(${savedSearches.matchedIds})
    where key < ${counted} and value in (select value from json_each(matched.ids)))`;
}

/** The ids of the batch's matches, then those known before. */
const newestMatches = sql<string[]>`(select json_group_array(id) from (
  select value as id from json_each(matched.ids)
  union all
  select value from json_each(${savedSearches.matchedIds})
    where value not in (select value from json_each(matched.ids))
  limit ${maxMatchedIds}))`;

/** A listing with what it was before, as `matchesOf` reads it. The old values differ in what counts as new alone. */
function toMatch(row: UnmatchedRow) {
  const { cents, oldCents, stated, oldStated } = row;
  const ofSeller = { sellerVerified: row.sellerVerified ?? false, returnDays: row.returnDays };
  const listing = { ...row.variant, ...stated, ...ofSeller } as MatchedListing;
  const known = Object.entries(stated).map(([name, value]) => [
    name,
    oldStated?.[name] == null ? null : value,
  ]);
  const old = { ...row.oldVariant, ...Object.fromEntries(known), ...ofSeller } as MatchedListing;
  const isNew = oldCents === null;
  return {
    id: row.phoneId,
    revision: row.revision,
    seller: row.sellerId,
    cents,
    text: listingText(listing),
    keys: searchKeysOfListing(listing),
    oldCents,
    oldText: isNew ? null : listingText(old),
  };
}

/** Selects the searches of which listings are new or cheaper matches, with the number and the ids of these listings. */
function matchesOf(listings: string) {
  const text = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  const passes = (listingText: string) => sql`not exists (
    select 1 from json_each(saved_searches.clauses) as clause where not exists (
      select 1 from json_each(clause.value) as token where instr(${sql.raw(listingText)}, token.value)
        or (substr(token.value, 1, 1) = ${absence} and not instr(${sql.raw(listingText)}, substr(token.value, 2)))))`;
  return sql`with listings as materialized (
      select ${text("id")} as id, ${text("revision")} as revision, ${text("seller")} as seller_id, ${text("cents")} as cents,
        ${text("text")} as text, ${text("oldCents")} as old_cents, ${text("oldText")} as old_text, value -> 'keys' as keys
      from json_each(${listings})
      where exists (select 1 from unmatched_listings where phone_id = ${text("id")} and revision = ${text("revision")}))
    select saved_searches.rowid as search_rowid, count(distinct listings.id) as listings,
      json_group_array(distinct listings.id) as ids
    from listings cross join json_each(listings.keys) as listing_key
    cross join saved_search_keys on saved_search_keys.key = listing_key.value and saved_search_keys.to_cents >= listings.cents
    cross join saved_searches on saved_searches.id = saved_search_keys.search_id
    where saved_searches.from_cents <= listings.cents
      and saved_searches.user_id <> listings.seller_id
      and saved_searches.id < listings.revision
      and ${passes("listings.text")}
      and (old_text is null or listings.cents < old_cents or not ${passes("old_text")})
    group by saved_searches.id`;
}
