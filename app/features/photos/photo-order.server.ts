import { and, eq, exists, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { changeable, keepCover } from "./photo-rows.server.ts";

/** Where a photo goes among the others of its listing: one place nearer to the start or to the end. */
export type PhotoMove = "left" | "right";

/**
 * Moves a photo past its neighbour. Whatever others do at the same time, the photos of a listing stay in one order.
 *
 * @returns its place from then on, counted from 1, and of how many; null when it is not the viewer's to move
 */
export async function movePhoto(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  photoId: string,
  move: PhotoMove,
): Promise<{ place: number; of: number } | null> {
  const order = sql`order by ${photos.position}, ${photos.id}`;
  const places = db
    .select({ id: photos.id, place: sql<number>`row_number() over (${order})`.as("place") })
    .from(photos)
    .innerJoin(phones, eq(phones.id, photos.phoneId))
    .where(changeable(viewer, phoneId))
    .as("places");
  // Places are two apart for it, so that three are past the neighbour and short of the next.
  const step = sql`case when ${places.id} = ${photoId} then ${move === "left" ? -3 : 3} else 0 end`;
  const moved = db
    .select({
      movedId: sql<string>`${places.id}`.as("moved_id"),
      place: sql<number>`row_number() over (order by ${places.place} * 2 + ${step})`.as("new_place"),
    })
    .from(places)
    .as("moved");
  const [rows] = await db.batch([
    db
      .update(photos)
      .set({ position: sql`${moved.place}` })
      .from(moved)
      .where(eq(photos.id, moved.movedId))
      .returning({ id: photos.id, position: photos.position }),
    keepCover(db, phoneId),
  ]);
  const row = rows.find(({ id }) => id === photoId);
  return row ? { place: row.position, of: rows.length } : null;
}

/**
 * Takes a photo off its listing. Its objects are then for `dropPhotos`, and for the sweep if that fails.
 *
 * @returns whether it was there, and the viewer's to remove
 */
export async function removePhoto(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  photoId: string,
): Promise<boolean> {
  const open = db.select({ one: sql`1` }).from(phones).where(changeable(viewer, phoneId));
  const [removed] = await db.batch([
    db
      .update(photos)
      .set({ phoneId: null })
      .where(and(eq(photos.id, photoId), eq(photos.phoneId, phoneId), exists(open)))
      .returning({ id: photos.id }),
    keepCover(db, phoneId),
  ]);
  return removed.length > 0;
}
