import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { decisions, orders, phones, photos } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { isReturned } from "../audit/removals.server.ts";

/** Selects the photos of a listing in order; width and height of the largest size in pixels. */
export function selectPhotos(db: Db, phoneId: string) {
  return db
    .select({ id: photos.id, width: photos.width, height: photos.height })
    .from(photos)
    .where(eq(photos.phoneId, phoneId))
    .orderBy(asc(photos.position), asc(photos.id));
}

/** A listing with its photos, for its seller; null for others. */
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
      .where(isOwn(db, viewer, phoneId)),
    selectPhotos(db, phoneId),
  ]);
  return phone ? { phone, photos: listed, editable: phone.status !== "sold" } : null;
}

/** Of all drafts of a seller, see `draftKey`. */
const draftsOf = (sellerId: string) => `${sellerId}/`;

/** What the photos of a draft belong to: another seller may have a draft of the same id. */
export const draftKey = (seller: Pick<Viewer, "id">, draftId: string) => draftsOf(seller.id) + draftId;

/** Condition on `photos`: of a draft of this seller, also of one that is not saved yet. "0" follows "/". */
export function isDraftPhotoOf(sellerId: string): SQL {
  return sql`(${photos.draftId} >= ${draftsOf(sellerId)} and ${photos.draftId} < ${`${sellerId}0`})`;
}

/** Condition on `photos`: of this draft of the seller. */
function isOfDraft(seller: Viewer, draftId: string): SQL {
  return eq(photos.draftId, draftKey(seller, draftId));
}

/** Condition: the seller's draft has a photo. */
export function hasDraftPhotos(db: Db, seller: Viewer, draftId: string): SQL {
  return hasRow(db, photos, isOfDraft(seller, draftId));
}

/** Selects the photos of a draft of the seller in order. */
export function selectDraftPhotos(db: Db, seller: Viewer, draftId: string) {
  return db
    .select({ id: photos.id, width: photos.width, height: photos.height })
    .from(photos)
    .where(isOfDraft(seller, draftId))
    .orderBy(asc(photos.position), asc(photos.id));
}

/** The statement that removes the photos of a draft. The next photo cleanup deletes their objects. */
export function detachDraftPhotos(db: Db, seller: Viewer, draftId: string) {
  return db.update(photos).set({ draftId: null }).where(isOfDraft(seller, draftId));
}

/** The statements that give the photos of a draft to a listing that has none, which is inserted before. */
export function moveDraftPhotos(db: Db, seller: Viewer, draftId: string, phoneId: string) {
  return [
    db.update(photos).set({ draftId: null, phoneId }).where(isOfDraft(seller, draftId)),
    updateCover(db, phoneId),
  ] as const;
}

/** Whether anybody may see a photo: its listing is neither removed nor hidden. */
export async function isPublicPhoto(db: Db, photoId: string): Promise<boolean> {
  const [phone] = await db
    .select({ hiddenById: phones.hiddenById })
    .from(photos)
    .innerJoin(phones, eq(phones.id, photos.phoneId))
    .where(eq(photos.id, photoId));
  return phone?.hiddenById === null;
}

/** Whether a user may see a photo whose listing is removed, hidden or a draft: its seller may, and its buyers and moderators. */
export async function maySeeHiddenPhoto(db: Db, viewer: Viewer, photoId: string): Promise<boolean> {
  const hasOrdered = hasRow(db, orders, and(eq(orders.phoneId, phones.id), eq(orders.buyerId, viewer.id)));
  const isOfListing = may(viewer, "moderate")
    ? isNotNull(phones.id)
    : or(eq(phones.sellerId, viewer.id), hasOrdered);
  const [photo] = await db
    .select({ id: photos.id })
    .from(photos)
    .leftJoin(phones, eq(phones.id, photos.phoneId))
    .where(and(eq(photos.id, photoId), or(isOfListing, isDraftPhotoOf(viewer.id))));
  return photo !== undefined;
}

/** Condition on `phones`: the viewer's own listing, also while it waits for approval or after a return. */
export function isOwn(db: Db, viewer: Viewer, phoneId: string) {
  const hold = and(eq(decisions.id, phones.hiddenById), eq(decisions.kind, "hold"));
  return and(
    eq(phones.id, phoneId),
    or(isNull(phones.hiddenById), hasRow(db, decisions, hold), isReturned(db)),
    eq(phones.sellerId, viewer.id),
  );
}

/** Sets a listing's cover to its first photo; nothing for what is no listing. Must be the last statement of each batch that changes photos. */
export function updateCover(db: Db, phoneId: string) {
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
