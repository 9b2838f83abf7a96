import { eq, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { phones, priceChanges, unmatchedListings } from "#app/db/schema.ts";
import { listingFilterNames } from "./attributes.ts";

/** Queues a new or approved listing for the saved searches. Run it after the listing's insertion in its batch. */
export function queueNewListing(db: Db, phoneId: string) {
  const listing = db
    .select({
      ...queued(),
      oldVariantId: sql<number | null>`null`.as("old_variant_id"),
      oldCents: sql<number | null>`null`.as("old_cents"),
      oldStated: sql<Record<string, unknown> | null>`null`.as("old_stated"),
    })
    .from(phones)
    .where(eq(phones.id, phoneId));
  return db.insert(unmatchedListings).select(listing).onConflictDoNothing();
}

/** Queues edited listings for the saved searches, with what they were. Run it before the edit in its batch. */
export function queueEditedListings(db: Db, edited: SQL | undefined) {
  const formerLow = db
    .select({ cents: sql`min(${priceChanges.oldCents})` })
    .from(priceChanges)
    .where(eq(priceChanges.phoneId, phones.id));
  return db
    .insert(unmatchedListings)
    .select(
      db
        .select({
          ...queued(),
          oldVariantId: phones.variantId,
          oldCents:
            sql<number>`min(${phones.sellingCents}, coalesce((${formerLow}), ${phones.sellingCents}))`.as(
              "old_cents",
            ),
          oldStated: statedValues().as("old_stated"),
        })
        .from(phones)
        .where(edited),
    )
    .onConflictDoUpdate({
      target: unmatchedListings.phoneId,
      set: { revision: sql`excluded.revision` },
    });
}

function queued() {
  return {
    phoneId: sql<string>`${phones.id}`.as("phone_id"),
    revision: sql<string>`${timeOrderedId()}`.as("revision"),
  };
}

/** What a listing states of the attributes that searches filter by, as JSON; null if it does not. */
export function statedValues() {
  const values = listingFilterNames.map((name) => sql`${name}, ${phones[name]}`);
  return sql<Record<string, unknown>>`json_object(${sql.join(values, sql`, `)})`;
}
