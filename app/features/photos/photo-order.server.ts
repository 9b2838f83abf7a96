import { and, eq, exists, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { isChangeable, updateCover } from "./photo-rows.server.ts";

/** The direction to move a photo by one position. */
type PhotoMove = "left" | "right";

/**
 * Moves a photo by one position; null if the viewer may not. One statement renumbers all photos from 1, so that
 * concurrent moves keep a valid order.
 */
export async function movePhoto(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  photoId: string,
  move: PhotoMove,
): Promise<{ position: number; count: number } | null> {
  const order = sql`order by ${photos.position}, ${photos.id}`;
  const positions = db
    .select({ id: photos.id, position: sql<number>`row_number() over (${order})`.as("position") })
    .from(photos)
    .innerJoin(phones, eq(phones.id, photos.phoneId))
    .where(isChangeable(viewer, phoneId))
    .as("positions");
  // Positions are doubled, so that a step of three ends between the neighbour and the photo after it.
  const step = sql`case when ${positions.id} = ${photoId} then ${move === "left" ? -3 : 3} else 0 end`;
  const moved = db
    .select({
      movedId: sql<string>`${positions.id}`.as("moved_id"),
      position: sql<number>`row_number() over (order by ${positions.position} * 2 + ${step})`.as(
        "new_position",
      ),
    })
    .from(positions)
    .as("moved");
  const [rows] = await db.batch([
    db
      .update(photos)
      .set({ position: sql`${moved.position}` })
      .from(moved)
      .where(eq(photos.id, moved.movedId))
      .returning({ id: photos.id, position: photos.position }),
    updateCover(db, phoneId),
  ]);
  const row = rows.find(({ id }) => id === photoId);
  return row ? { position: row.position, count: rows.length } : null;
}

/** Removes a photo from its listing; false if the viewer may not. Then call `deletePhotos`. */
export async function removePhoto(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  photoId: string,
): Promise<boolean> {
  const open = db.select({ one: sql`1` }).from(phones).where(isChangeable(viewer, phoneId));
  const [removed] = await db.batch([
    db
      .update(photos)
      .set({ phoneId: null })
      .where(and(eq(photos.id, photoId), eq(photos.phoneId, phoneId), exists(open)))
      .returning({ id: photos.id }),
    updateCover(db, phoneId),
  ]);
  return removed.length > 0;
}
