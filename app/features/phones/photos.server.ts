import { and, asc, eq, exists, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, photos } from "#app/db/schema.ts";
import { randomToken } from "../accounts/random-token.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hasTooManyPixels, mostPhotoBytes, mostPhotos, type PhotoRefusal } from "./photo.rules.ts";
import { makePhoto } from "./photo-making.server.ts";
import { dropPhotos, type PhotoStudio, putPhoto } from "./photo-objects.server.ts";
import { readPictureHeader } from "./picture-header.ts";
import { ownUnlessAdmin } from "./sellings.server.ts";

/** The photos of a listing in their order; width and height are of the largest size, in pixels. */
export function photosOf(db: Db, phoneId: string) {
  return db
    .select({ id: photos.id, width: photos.width, height: photos.height })
    .from(photos)
    .where(eq(photos.phoneId, phoneId))
    .orderBy(asc(photos.position), asc(photos.id));
}

/** A listing's photos for who may change them, and whether they still may; null for anybody else. */
export async function findOwnPhotos(db: Db, viewer: Viewer, phoneId: string) {
  const [[phone], listed] = await db.batch([
    db
      .select({
        id: phones.id,
        brandName: phones.brandName,
        model: phones.model,
        image: phones.image,
        deviceType: phones.deviceType,
        status: phones.status,
      })
      .from(phones)
      .where(and(eq(phones.id, phoneId), isNull(phones.removalId), ownUnlessAdmin(viewer))),
    photosOf(db, phoneId),
  ]);
  return phone ? { phone, photos: listed, open: phone.status !== "sold" } : null;
}

/**
 * Adds a photo, as the last one, to a listing of the viewer's or for an administrator anybody's. The same file sent
 * again is the photo that is there. Of what is refused nothing is stored.
 *
 * @param file as it was sent
 */
export async function addPhoto(
  db: Db,
  studio: PhotoStudio,
  viewer: Viewer,
  phoneId: string,
  file: Uint8Array<ArrayBuffer>,
): Promise<{ added: string } | { refused: PhotoRefusal }> {
  if (file.byteLength > mostPhotoBytes) return { refused: "too large" };
  const header = readPictureHeader(file);
  if (!header) return { refused: "not a photo" };
  if (hasTooManyPixels(header)) return { refused: "too many pixels" };
  const digest = await digestOf(file);
  // Before the work, and for the answer; the insertion has the last word.
  const known = await placeFor(db, viewer, phoneId, digest);
  if (known !== "free") return known;

  const made = await makePhoto(studio.images, header);
  if (!made) return { refused: "unreadable" };
  const id = randomToken();
  await putPhoto(studio, id, made);
  const { width, height } = made;
  const count = db.select({ count: sql`count(*)` }).from(photos).where(eq(photos.phoneId, phones.id));
  const last = db
    .select({ last: sql`coalesce(max(position), 0) + 1` })
    .from(photos)
    .where(eq(photos.phoneId, phones.id));
  const [[added]] = await db.batch([
    db
      .insert(photos)
      .select(
        db
          .select({
            id: sql<string>`${id}`.as("id"),
            phoneId: sql<string>`${phones.id}`.as("phone_id"),
            position: sql<number>`(${last})`.as("position"),
            width: sql<number>`${width}`.as("width"),
            height: sql<number>`${height}`.as("height"),
            digest: sql<string>`${digest}`.as("digest"),
            createdAt: sql<Date>`${Date.now()}`.as("created_at"),
          })
          .from(phones)
          .where(and(changeable(viewer, phoneId), sql`(${count}) < ${mostPhotos}`)),
      )
      .onConflictDoNothing({ target: [photos.phoneId, photos.digest] })
      .returning({ id: photos.id }),
    keepCover(db, phoneId),
  ]);
  if (added) return { added: id };
  await dropPhotos(db, studio, [id]);
  const beaten = await placeFor(db, viewer, phoneId, digest);
  return beaten === "free" ? { refused: "closed" } : beaten;
}

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

/** Whether a file would find a place at a listing, or what is to be answered instead. */
async function placeFor(db: Db, viewer: Viewer, phoneId: string, digest: string) {
  const [[phone], listed] = await db.batch([
    db.select({ id: phones.id }).from(phones).where(changeable(viewer, phoneId)),
    db.select({ id: photos.id, digest: photos.digest }).from(photos).where(eq(photos.phoneId, phoneId)),
  ]);
  if (!phone) return { refused: "closed" } as const;
  const same = listed.find((photo) => photo.digest === digest);
  if (same) return { added: same.id };
  return listed.length < mostPhotos ? ("free" as const) : ({ refused: "too many" } as const);
}

/** A listing whose photos this viewer may change. */
function changeable(viewer: Viewer, phoneId: string) {
  return and(
    eq(phones.id, phoneId),
    isNull(phones.removalId),
    ne(phones.status, "sold"),
    ownUnlessAdmin(viewer),
  );
}

/** Keeps the listing's cover at its first photo; the last statement of each batch that changes photos. */
function keepCover(db: Db, phoneId: string) {
  const first = db
    .select({ id: photos.id })
    .from(photos)
    .where(eq(photos.phoneId, phoneId))
    .orderBy(asc(photos.position), asc(photos.id))
    .limit(1);
  return db
    .update(phones)
    .set({ cover: sql`(${first})` })
    .where(and(eq(phones.id, phoneId), sql`${phones.cover} is not (${first})`));
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
