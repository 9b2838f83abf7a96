import { and, count, eq, ne, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { phones, photos } from "#app/db/schema.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";
import { logWarning } from "#app/server/logging/log.server.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { type EncodedPhoto, encodePhoto } from "./encode-photo.server.ts";
import {
  hasTooManyPixels,
  maxPhotoBytes,
  maxPhotosPerUpload,
  type PhotoOwner,
  photoLimits,
  problemPhotoId,
} from "./photo.rules.ts";
import { deletePhotos, type PhotoStorage, putPhoto } from "./photo-objects.server.ts";
import { noStorageText, type PhotoRefusal, photoRefusalText } from "./photo-refusals.ts";
import { draftKey, isOwn, updateCover } from "./photos.server.ts";
import { readPictureHeader } from "./picture-header.ts";

/** What photos are added to. */
export interface PhotoTarget {
  owner: PhotoOwner;
  id: string;
  /** Condition: the viewer may add photos to it. */
  isOpen: SQL;
}

interface AddedPhoto {
  added: string;
  existing?: true;
}

/** Size in pixels, and SHA-256 in hex of the uploaded file. */
interface NewPhoto {
  id: string;
  width: number;
  height: number;
  digest: string;
}

/** A listing that the viewer may change. */
export function listingForPhotos(db: Db, viewer: Viewer, phoneId: string): PhotoTarget {
  return { owner: "listing", id: phoneId, isOpen: hasRow(db, phones, isChangeable(db, viewer, phoneId)) };
}

/** A draft of the viewer, also one that is not saved yet. */
export function draftForPhotos(db: Db, viewer: Viewer, draftId: string): PhotoTarget {
  return { owner: "draft", id: draftKey(viewer, draftId), isOpen: isOpenAccount(db, viewer) };
}

/** Adds a photo. @param reference of the request, for the log */
export async function addPhoto(
  db: Db,
  storage: PhotoStorage,
  target: PhotoTarget,
  file: Uint8Array<ArrayBuffer>,
  reference: string,
): Promise<AddedPhoto | { refusal: PhotoRefusal }> {
  // A check before the expensive work; `insertPhoto` decides.
  const check = await checkNewPhoto(db, target, await sha256Hex(file));
  if (check !== "allowed") return check;
  const photo = await readPhoto(storage, file, reference);
  return "refusal" in photo ? photo : storePhoto(db, storage, target, photo);
}

/** A file that was decoded and can be stored. */
type ReadPhoto = EncodedPhoto & { digest: string };

/** Decodes a file. Logs one that seems valid but cannot be decoded, and a failure of the Images service. */
export async function readPhoto(
  { images }: PhotoStorage,
  file: Uint8Array<ArrayBuffer>,
  reference: string,
): Promise<ReadPhoto | { refusal: PhotoRefusal }> {
  if (file.byteLength === 0) return { refusal: "empty" };
  if (file.byteLength > maxPhotoBytes) return { refusal: "too large" };
  const header = readPictureHeader(file);
  if (!header) return { refusal: "not a photo" };
  if (hasTooManyPixels(header)) return { refusal: "too many pixels" };
  try {
    const photo = await encodePhoto(images, header);
    if (photo) return { ...photo, digest: await sha256Hex(file) };
  } catch (error) {
    logWarning("photo could not be decoded", String(error), reference);
    return { refusal: "unavailable" };
  }
  logWarning("photo could not be decoded", "unreadable", reference);
  return { refusal: "unreadable" };
}

/** Adds the photos of a form one by one, which keeps their order. @returns a refusal for each that was not added */
export async function addPhotos(
  db: Db,
  target: PhotoTarget,
  { files, storage, reference }: PhotoUpload,
): Promise<{ existing: number; refusals: string[] }> {
  if (files.length === 0) return { existing: 0, refusals: [] };
  if (!storage) return { existing: 0, refusals: [noStorageText] };
  if (files.length > maxPhotosPerUpload)
    return { existing: 0, refusals: [photoRefusalText("too many", target.owner)] };
  const refusals: string[] = [];
  let existing = 0;
  for (const file of files) {
    const outcome = await addPhoto(db, storage, target, new Uint8Array(await file.arrayBuffer()), reference);
    if ("refusal" in outcome)
      refusals.push(`${file.name}: ${photoRefusalText(outcome.refusal, target.owner)}`);
    else if (outcome.existing) existing += 1;
  }
  return { existing, refusals };
}

/** The files of a form. */
export interface PhotoUpload {
  files: File[];
  storage: PhotoStorage | null;
  reference: string;
}

/** Reads the photos of a form one by one, since each is decoded in memory. */
export async function readPhotos(upload: PhotoUpload | undefined, owner: PhotoOwner) {
  const read: (ReadPhoto & { name: string; storage: PhotoStorage })[] = [];
  if (!upload || upload.files.length === 0) return { read, refusals: [] };
  const { storage, reference } = upload;
  if (!storage) return { read, refusals: [noStorageText] };
  const refusals: string[] = [];
  for (const file of upload.files) {
    const photo =
      read.length < photoLimits[owner]
        ? await readPhoto(storage, new Uint8Array(await file.arrayBuffer()), reference)
        : { refusal: "too many" as const };
    if ("refusal" in photo) refusals.push(`${file.name}: ${photoRefusalText(photo.refusal, owner)}`);
    else read.push({ ...photo, name: file.name, storage });
  }
  return { read, refusals };
}

/** Adds a photo that was read. */
async function storePhoto(
  db: Db,
  storage: PhotoStorage,
  target: PhotoTarget,
  photo: ReadPhoto,
): Promise<AddedPhoto | { refusal: PhotoRefusal }> {
  const { width, height, digest } = photo;
  const id = target.owner === "problem" ? problemPhotoId(randomToken()) : randomToken();
  await putPhoto(storage, id, photo);
  if (await insertPhoto(db, target, { id, width, height, digest })) return { added: id };
  await deletePhotos(db, storage, [id]);
  const recheck = await checkNewPhoto(db, target, digest);
  return recheck === "allowed" ? { refusal: "not editable" } : recheck;
}

/** The column of `photos` with the id of what they belong to. */
const ownerColumns = { listing: "phoneId", draft: "draftId", problem: "problemId" } as const;

const photosOf = ({ owner, id }: PhotoTarget) => eq(photos[ownerColumns[owner]], id);

/** Checks whether a file can become one more photo; `existing` if it is one already. */
export async function checkNewPhoto(db: Db, target: PhotoTarget, digest: string) {
  const [[viewed], others] = await db.batch([
    db.select({ isOpen: target.isOpen.mapWith(Boolean).as("is_open") }).from(sql`(select 1)`),
    db.select({ id: photos.id, digest: photos.digest }).from(photos).where(photosOf(target)),
  ]);
  if (!viewed?.isOpen) return { refusal: "not editable" } as const;
  const same = others.find((photo) => photo.digest === digest);
  if (same) return { added: same.id, existing: true } as const;
  return others.length < photoLimits[target.owner]
    ? ("allowed" as const)
    : ({ refusal: "too many" } as const);
}

/**
 * Inserts a photo as the last one, after its objects are stored.
 *
 * @returns false if the viewer may not add it, there are as many as there may be, or it is one already
 */
export async function insertPhoto(db: Db, target: PhotoTarget, photo: NewPhoto): Promise<boolean> {
  const { owner, id, isOpen } = target;
  const ofTarget = photosOf(target);
  const others = db.select({ count: count() }).from(photos).where(ofTarget);
  const next = db
    .select({ next: sql`coalesce(max(${photos.position}), 0) + 1` })
    .from(photos)
    .where(ofTarget);
  const row = { ...photo, position: sql`(${next})` };
  const refusal = await batchUnless(
    db,
    {
      "not editable": isOpen,
      "too many": sql`(${others}) < ${photoLimits[owner]}`,
      existing: not(hasRow(db, photos, and(ofTarget, eq(photos.digest, photo.digest)))),
    },
    [db.insert(photos).values({ ...row, [ownerColumns[owner]]: id }), updateCover(db, id)],
  );
  return refusal === null;
}

/** Condition on `phones`: the viewer may change the photos of this listing. */
function isChangeable(db: Db, viewer: Viewer, phoneId: string) {
  return and(isOwn(db, viewer, phoneId), ne(phones.status, "sold"));
}

/** The direction to move a photo by one position. */
type PhotoMove = "left" | "right";

/**
 * Moves a photo by one position; null if the viewer may not. One statement renumbers all photos from 1, so that
 * concurrent moves keep a valid order.
 */
export async function movePhoto(
  db: Db,
  target: PhotoTarget,
  photoId: string,
  move: PhotoMove,
): Promise<{ position: number; count: number } | null> {
  const order = sql`order by ${photos.position}, ${photos.id}`;
  const positions = db
    .select({ id: photos.id, position: sql<number>`row_number() over (${order})`.as("position") })
    .from(photos)
    .where(and(photosOf(target), target.isOpen))
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
    updateCover(db, target.id),
  ]);
  const row = rows.find(({ id }) => id === photoId);
  return row ? { position: row.position, count: rows.length } : null;
}

/** Removes a photo from its listing or draft; false if the viewer may not. Then call `deletePhotos`. */
export async function removePhoto(db: Db, target: PhotoTarget, photoId: string): Promise<boolean> {
  const [removed] = await db.batch([
    db
      .update(photos)
      .set({ [ownerColumns[target.owner]]: null })
      .where(and(eq(photos.id, photoId), photosOf(target), target.isOpen))
      .returning({ id: photos.id }),
    updateCover(db, target.id),
  ]);
  return removed.length > 0;
}
