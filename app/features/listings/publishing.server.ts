import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { maxPhotosPerUpload, photoRefusalText } from "../photos/photo.rules.ts";
import { listingForPhotos, type PhotoUpload, readPhotos, storePhoto } from "../photos/photos.server.ts";
import { deviceVariantStatements } from "./device-variants.server.ts";
import { deleteDraft } from "./drafts.server.ts";
import { fairPrice } from "./fair-price.server.ts";
import { holdFirstListing, isHeld, isHeldForApproval } from "./first-listing-hold.server.ts";
import { removalOfSeller } from "./listing-removal.server.ts";
import { type NewPhone, placeholderImage } from "./phone.schema.ts";
import { statedColumns } from "./phones.server.ts";
import { questionsAbout } from "./plausibility.rules.ts";
import { queueNewListing } from "./unmatched-listings.server.ts";

/** What a seller submits; prices in cents. Photos can take the place of the image link. */
type SubmittedListing = Omit<NewPhone, "image"> & { image?: string };

interface Publishing {
  /** Idempotency key: the same form submitted again creates no second listing. */
  formKey: string | null;
  /** Whether the first listing of a seller waits for approval. */
  holdsFirst?: boolean;
  /** The doubtful values that the seller was asked about and submits again; "all" for programs, which aren't asked. */
  confirmed: string[] | "all";
  photos?: PhotoUpload;
}

/** @property refusals of some of the photos, in sentences */
interface Published {
  id: string;
  isHeld: boolean;
  refusals: string[];
}

/** Publishes a listing with its photos, or says what keeps it from being published: then nothing is stored. */
export async function publishListing(
  db: Db,
  seller: Viewer,
  { image, ...facts }: SubmittedListing,
  { formKey, holdsFirst = false, confirmed, photos }: Publishing,
): Promise<Published | { refusal: FormRefusal }> {
  const { fieldErrors, asked } =
    confirmed === "all"
      ? { fieldErrors: {}, asked: [] }
      : questionsAbout(facts, await fairPrice(db, facts), confirmed);
  const files = photos?.files ?? [];
  if (!image && files.length === 0) fieldErrors.image = [noPictureText];
  if (files.length > maxPhotosPerUpload) fieldErrors.photos = [photoRefusalText("too many")];
  if (Object.keys(fieldErrors).length > 0) return { refusal: { fieldErrors, asked } };

  const { read, refusals } = await readPhotos(photos, "listing");
  if (files.length > 0 && read.length === 0) return { refusal: { fieldErrors: { photos: refusals } } };
  const phone = { ...facts, image: image ?? placeholderImage[facts.deviceType] };
  const id = await addPhone(db, seller, phone, formKey, holdsFirst);
  for (const { name, storage, ...photo } of read) {
    const stored = await storePhoto(db, storage, listingForPhotos(db, seller, id), photo);
    if ("refusal" in stored) refusals.push(`${name}: ${photoRefusalText(stored.refusal)}`);
  }
  return { id, isHeld: holdsFirst && (await isHeldForApproval(db, id)), refusals };
}

const noPictureText = "Add a photo above, or the link of a picture";

/**
 * Inserts a listing.
 *
 * @param formKey idempotency key: the same form submitted again creates no second listing; the id of its draft
 * @param holdsFirst whether the first listing of a seller waits for approval
 */
export async function addPhone(
  db: Db,
  seller: Viewer,
  phone: NewPhone,
  formKey: string | null,
  holdsFirst = false,
): Promise<string> {
  const { marketPrice, sellingPrice, ...facts } = phone;
  const row = {
    ...statedColumns(facts),
    marketCents: marketPrice,
    sellingCents: sellingPrice,
    sellerId: seller.id,
  };
  const id = timeOrderedId();
  const variant = deviceVariantStatements(db, phone);
  const afterInsertion = [
    removeIfSellerIsRemoved(db, id),
    ...(holdsFirst ? holdFirstListing(db, id) : []),
    queueNewListing(db, id),
    ...(formKey ? [deleteDraft(db, seller, formKey)] : []),
  ] as const;
  const [, , [added]] = await db.batch([
    ...variant,
    db
      .insert(phones)
      .values({ id, ...row, formKey })
      .onConflictDoNothing({ target: [phones.sellerId, phones.formKey] })
      .returning({ id: phones.id }),
    ...afterInsertion,
  ]);
  if (added || !formKey) return id;

  // The key was used. With the same values this is a repeated submission; otherwise the browser restored an old key.
  const sameValues = Object.entries(row)
    .filter(([name]) => name in phones)
    .map(([name, value]) => eq(phones[name as keyof typeof phones.$inferInsert], value));
  const [same] = await db
    .select({ id: phones.id })
    .from(phones)
    .where(and(eq(phones.formKey, formKey), or(isNull(phones.hiddenById), isHeld(db)), ...sameValues));
  if (same) return same.id;
  await db.batch([...variant, db.insert(phones).values({ id, ...row }), ...afterInsertion]);
  return id;
}

/** Removes a new listing if its seller was removed or suspended during the request. */
function removeIfSellerIsRemoved(db: Db, phoneId: string) {
  return db
    .update(phones)
    .set({ hiddenById: removalOfSeller })
    .where(and(eq(phones.id, phoneId), isNotNull(removalOfSeller)));
}
