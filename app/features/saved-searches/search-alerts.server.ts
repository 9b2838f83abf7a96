import { and, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { savedSearches, users } from "#app/db/schema.ts";
import { insertNotifications, notificationValues } from "../notifications/notify.server.ts";
import { matchListings } from "./match-listings.server.ts";

const day = 86_400_000;
/** Searches whose owners are told in one batch. */
const portionSize = 1000;
/** Portions of one run of the job; the next run continues. */
const maxPortions = 20;

/** Matches new and cheaper listings with the saved searches, and tells the owners of the matches that are due. */
export async function alertSearchers(db: Db, now = new Date()): Promise<void> {
  await matchListings(db);
  for (let portion = 0; portion < maxPortions; portion += 1) {
    if ((await tellOwners(db, now)) < portionSize) return;
  }
}

/** Writes one notification for each search that is due, and counts its matches as told in the same batch. */
async function tellOwners(db: Db, now: Date): Promise<number> {
  const { id, frequency, toldAt, untoldCount, name, userId } = savedSearches;
  const due = await db
    .select({ id })
    .from(savedSearches)
    .where(
      and(
        gt(untoldCount, 0),
        or(eq(frequency, "at once"), and(eq(frequency, "daily"), lte(toldAt, new Date(now.getTime() - day)))),
      ),
    )
    .limit(portionSize);
  if (due.length === 0) return 0;
  const told = JSON.stringify(due.map((search) => [search.id, timeOrderedId()]));
  await db.batch([
    insertNotifications(db)
      .select(
        db
          .select(
            notificationValues("search match", {
              id: sql`told.value ->> 1`,
              userId,
              subject: sql`${untoldCount} || iif(${untoldCount} = 1, ' new device', ' new devices') || ' for “' || ${name} || '”'`,
              path: sql`'/manage/searches/' || ${id}`,
              event: sql`'search match ' || ${id} || ' ' || (told.value ->> 1)`,
            }),
          )
          .from(sql`json_each(${told}) as told`)
          .crossJoin(savedSearches)
          .innerJoin(users, eq(users.id, userId))
          .where(and(sql`${id} = told.value ->> 0`, gt(untoldCount, 0), isNull(users.removalId))),
      )
      .onConflictDoNothing(),
    db
      .update(savedSearches)
      .set({ untoldCount: 0, toldAt: now })
      .where(and(gt(untoldCount, 0), inArray(id, sql`(select value ->> 0 from json_each(${told}))`))),
  ]);
  return due.length;
}
