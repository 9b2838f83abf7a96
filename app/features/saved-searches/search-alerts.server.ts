import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { notifications, savedSearches, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { notificationValues } from "../notifications/notify.server.ts";
import { matchListings } from "./match-listings.server.ts";

/** People who are notified in one batch. */
const batchSize = 250;
/** Of one run of the job; the next run continues. */
const maxBatches = 80;

/** Matches new and cheaper listings with the saved searches, and notifies the owners of the matches that are due. */
export async function alertSearchers(db: Db, now = new Date()): Promise<void> {
  await matchListings(db);
  for (let batch = 0; batch < maxBatches; batch += 1) {
    if ((await notifyOwners(db, now)) < batchSize) return;
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
  const owners = await db.selectDistinct({ userId }).from(savedSearches).where(isDue).limit(batchSize);
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
              subject,
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

const subject = sql`iif(count(*) = 1 and ${pendingCount} = 1, '1 new or cheaper device', iif(count(*) = 1, ${pendingCount} || ' ', '')
  || 'new or cheaper devices') || ' for "' || ${name} || '"' || case count(*) when 1 then '' when 2 then ' and 1 more search' else ' and ' || (count(*) - 1) || ' more searches' end`;

const path = sql`iif(count(*) > 1, '/manage/searches',
  iif(${pendingCount} = 1, '/phones/' || (${matchedIds} ->> 0), '/manage/searches/' || ${id}))`;
