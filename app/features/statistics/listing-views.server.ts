import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { listingViews, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** Views that wait while this isolate writes others, so that a popular listing costs one write at a time. */
const waiting = new Map<string, number>();

/** Listings that may wait; views of more are lost. */
const maxWaiting = 1000;

/** A cancelled request never says that its write has ended, so the next one writes after this time. */
const maxWriteMs = 10_000;

let writingUntil = 0;

/**
 * Counts a view of a listing; of one that is removed or unknown, nothing. During another write of this isolate the view
 * only waits, and is written after it. Views that wait when the isolate ends, or that cannot be written, are lost.
 */
export async function countView(db: Db, phoneId: string): Promise<void> {
  if (waiting.size < maxWaiting || waiting.has(phoneId)) {
    waiting.set(phoneId, (waiting.get(phoneId) ?? 0) + 1);
  }
  if (Date.now() < writingUntil) return;
  const until = Date.now() + maxWriteMs;
  writingUntil = until;
  try {
    while (waiting.size > 0 && Date.now() < until) {
      const views = JSON.stringify(Object.fromEntries(waiting));
      waiting.clear();
      await addViews(db, views);
    }
  } finally {
    writingUntil = 0;
  }
}

/** Whether a listing is the viewer's own, whose views do not count. */
export async function isOwnView(db: Db, viewer: Viewer, phoneId: string): Promise<boolean> {
  return (await db.$count(phones, and(eq(phones.id, phoneId), eq(phones.sellerId, viewer.id)))) > 0;
}

/** @param views a JSON object: how many by the listing's id */
function addViews(db: Db, views: string) {
  return db
    .insert(listingViews)
    .select(
      sql`select ${phones.id}, viewed.value from json_each(${views}) as viewed
        inner join ${phones} on ${phones.id} = viewed.key where ${isNull(phones.removalId)}`,
    )
    .onConflictDoUpdate({
      target: listingViews.phoneId,
      set: { views: sql`${listingViews.views} + excluded.views` },
    });
}
