import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { listingViews, phones, uncountedDays, viewedDays } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { batchedCounter } from "./batched-counter.server.ts";

const waitingViews = new Map<string, number>();

/** Counts a view of a listing, and of its seller's that day; of one that is removed or unknown, nothing. */
export const countView = batchedCounter(waitingViews, 1000, (db, views) => {
  const viewed = (columns: SQL) => sql`select ${columns} from json_each(${views}) as viewed
    inner join ${phones} on ${phones.id} = viewed.key where ${isNull(phones.hiddenById)}`;
  const today = sql.raw(String(Math.floor(Date.now() / dayMs)));
  return db.batch([
    db
      .insert(listingViews)
      .select(viewed(sql`${phones.id}, viewed.value`))
      .onConflictDoUpdate({
        target: listingViews.phoneId,
        set: { views: sql`${listingViews.views} + excluded.views` },
      }),
    db
      .insert(viewedDays)
      .select(
        sql`${viewed(sql`${phones.sellerId}, ${today}, sum(viewed.value)`)} group by ${phones.sellerId}`,
      )
      .onConflictDoUpdate({
        target: [viewedDays.sellerId, viewedDays.day],
        set: { views: sql`${viewedDays.views} + excluded.views` },
      }),
    db
      .insert(uncountedDays)
      .values({ day: Math.floor(Date.now() / dayMs) })
      .onConflictDoNothing(),
  ]);
});

/** Whether a listing is the viewer's own, whose views do not count. */
export async function isOwnView(db: Db, viewer: Viewer, phoneId: string): Promise<boolean> {
  return (await db.$count(phones, and(eq(phones.id, phoneId), eq(phones.sellerId, viewer.id)))) > 0;
}
