import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { listingViews, phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { batchedCounter } from "./batched-counter.server.ts";

const waitingViews = new Map<string, number>();

/** Counts a view of a listing; of one that is removed or unknown, nothing. */
export const countView = batchedCounter(waitingViews, 1000, (db, views) =>
  db
    .insert(listingViews)
    .select(
      sql`select ${phones.id}, viewed.value from json_each(${views}) as viewed
        inner join ${phones} on ${phones.id} = viewed.key where ${isNull(phones.hiddenById)}`,
    )
    .onConflictDoUpdate({
      target: listingViews.phoneId,
      set: { views: sql`${listingViews.views} + excluded.views` },
    }),
);

/** Whether a listing is the viewer's own, whose views do not count. */
export async function isOwnView(db: Db, viewer: Viewer, phoneId: string): Promise<boolean> {
  return (await db.$count(phones, and(eq(phones.id, phoneId), eq(phones.sellerId, viewer.id)))) > 0;
}
