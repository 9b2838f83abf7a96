import { and, eq, gt, isNotNull, isNull, not, notInArray, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { listingImportRows, listingImports, phones, users } from "#app/db/schema.ts";
import { type DailyLimits, dailyLimits } from "#app/server/config/daily-limits.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { canBePaid } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hasDraftPhotos } from "../photos/photos.server.ts";
import { deviceVariantStatements, listedSpellingOf, withSpelledBrand } from "./device-variants.server.ts";
import { endDraft } from "./drafts.server.ts";
import { placeholderImage } from "./drawing.rules.ts";
import { editRefusals } from "./edit-refusals.ts";
import { fairPrice } from "./fair-price.server.ts";
import { holdFirstListing, isHeld, isHeldForApproval } from "./first-listing-hold.server.ts";
import { type NewListing, noPictureText, payoutsRequiredText } from "./listing.schema.ts";
import { imeiIsListedElsewhere } from "./listing-edit.server.ts";
import { type ImportStep, removalOfSeller } from "./listing-removal.server.ts";
import { statedColumns } from "./listings.server.ts";
import { plausibilityQuestions } from "./plausibility.rules.ts";
import { onSaleOrPaused } from "./sale-change.server.ts";
import { freeOwnNumber, isFreeNumber } from "./sellings.server.ts";
import { queueNewListing } from "./unmatched-listings.server.ts";

/** What a seller submits; prices in cents. Photos can take the place of the image link. */
type SubmittedListing = Omit<NewListing, "image"> & { image?: string | undefined };

interface Publishing {
  /** Idempotency key: the same form submitted again creates no second listing. */
  formKey: string | null;
  /** Whether the first listing of a seller waits for approval. */
  holdsFirst?: boolean;
  /** Whether only sellers publish whom the payment provider can pay. */
  requiresPayouts?: boolean;
  /** The doubtful values that the seller was asked about and submits again. */
  confirmed?: string[] | undefined;
  /** Whether it takes a photo of the draft with the form's key. */
  needsPhoto?: boolean;
  limits?: ListingLimits;
  /** See `imeiHashesOf`. */
  imeiHashes?: string[];
  step?: ImportStep;
}

type ListingLimits = Omit<DailyLimits, "MAX_MESSAGES_A_DAY" | "MAX_NEW_CONVERSATIONS_A_DAY">;

type Remark = ReturnType<typeof plausibilityQuestions>["remarks"][number];

interface Published {
  id: string;
  isHeld: boolean;
}

/** Publishes a listing with the photos of its draft, or says what keeps it from being published: then nothing is stored. */
export async function publishListing(
  db: Db,
  seller: Viewer,
  phone: SubmittedListing,
  { confirmed = [], ...options }: Publishing,
): Promise<Published | { refusal: FormRefusal; remarks?: Remark[] }> {
  const { fieldErrors, asked, remarks } = plausibilityQuestions(phone, await fairPrice(db, phone), confirmed);
  if (asked.length > 0) return { refusal: { fieldErrors, asked }, remarks };

  const outcome = await addPhone(db, seller, phone, options);
  if ("refusal" in outcome) return { refusal: publishingRefusals[outcome.refusal] };
  const { id } = outcome;
  return { id, isHeld: options.holdsFirst === true && (await isHeldForApproval(db, id)) };
}

const publishingRefusals = {
  "too many": {
    status: 429,
    formErrors: ["You’ve listed a lot today. Save this as a draft, and list it tomorrow."],
    retryAfter: dayMs / 1000,
  },
  "number taken": { status: 409, fieldErrors: { ownNumber: [editRefusals["number taken"]] } },
  "imei taken": { status: 409, fieldErrors: { imei: [editRefusals["imei taken"]] } },
  "no payouts": { status: 409, formErrors: [payoutsRequiredText] },
  "not due": { status: 409, formErrors: [editRefusals["not due"]] },
  "no picture": { fieldErrors: { photos: [noPictureText] } },
} satisfies Record<string, FormRefusal>;

/** Inserts a listing with the photos of the draft that has the form's key, and deletes the draft, or says why not. */
export async function addPhone(
  db: Db,
  seller: Viewer,
  { imei: _, ...phone }: SubmittedListing,
  {
    formKey,
    holdsFirst = false,
    requiresPayouts = false,
    limits = dailyLimits,
    imeiHashes = [],
    step,
    needsPhoto = false,
  }: Omit<Publishing, "confirmed">,
): Promise<{ id: string } | { refusal: keyof typeof publishingRefusals }> {
  const spelled = await withSpelledBrand(db, phone);
  const { marketPrice, sellingPrice, image = placeholderImage[phone.deviceType], ...facts } = spelled;
  const row = {
    ...statedColumns(facts),
    brandName: listedSpellingOf(facts.brandName),
    image,
    marketCents: marketPrice,
    sellingCents: sellingPrice,
    sellerId: seller.id,
    ...(imeiHashes[0] && { imeiHash: imeiHashes[0] }),
  };
  const id = timeOrderedId();
  const values = { id, ...row, ...onSaleOrPaused(seller) };
  const variant = deviceVariantStatements(db, facts);
  const afterInsertion = [
    removeIfSellerIsRemoved(db, id),
    ...(holdsFirst ? holdFirstListing(db, id) : []),
    queueNewListing(db, id),
    ...(formKey ? endDraft(db, seller, formKey, id) : []),
    ...(step ? [step.record(id)] : []),
  ] as const;
  const keyUsed = isPublishedBy(seller, formKey);
  const { ownNumber } = phone;
  const conditions = {
    "not due": step?.isDue,
    "no payouts": requiresPayouts ? canBePaid(db, seller.id) : undefined,
    "no picture": needsPhoto ? hasDraftPhotos(db, seller, formKey ?? "") : undefined,
    "too many": isWithinDailyLimit(db, seller, limits),
    "number taken": ownNumber ? isFreeNumber(db, seller, ownNumber) : undefined,
    "imei taken": imeiHashes.length > 0 ? not(imeiIsListedElsewhere(db, id, imeiHashes)) : undefined,
  };
  const before = [...variant, ...(ownNumber ? [freeOwnNumber(db, seller, ownNumber)] : [])];
  const refusal = await batchUnless<"key used" | keyof typeof conditions>(
    db,
    { "key used": formKey ? not(hasRow(db, phones, keyUsed)) : undefined, ...conditions },
    [...before, db.insert(phones).values({ ...values, formKey }), ...afterInsertion],
  );
  if (refusal !== "key used") return refusal ? { refusal } : { id };

  // With the same values this is a repeated submission; otherwise the browser restored an old key.
  const sameValues = Object.entries(row)
    .filter(([name]) => name in phones)
    .map(([name, value]) => eq(phones[name as keyof typeof phones.$inferInsert], value));
  const [same] = await db
    .select({ id: phones.id })
    .from(phones)
    .where(and(keyUsed, or(isNull(phones.hiddenById), isHeld(db)), ...sameValues));
  if (same) return same;
  const statements = [...before, db.insert(phones).values(values), ...afterInsertion];
  const refusalOfOther = await batchUnless(db, conditions, statements);
  return refusalOfOther ? { refusal: refusalOfOther } : { id };
}

/** Condition on `phones`: published by the form with this key. */
function isPublishedBy(seller: Viewer, formKey: string | null) {
  return and(eq(phones.sellerId, seller.id), eq(phones.formKey, formKey ?? ""));
}

/** Whether a form was published before, as one that is submitted twice. Its photos are the listing's then. */
export async function isPublished(db: Db, seller: Viewer, formKey: string): Promise<boolean> {
  const [listing] = await db.select({ id: phones.id }).from(phones).where(isPublishedBy(seller, formKey));
  return listing !== undefined;
}

/** Condition on `listingImports`: what it undid does not count toward the limit of the day. */
export const isUndoneToday = () => sql`coalesce(${listingImports.undoneAt} > ${Date.now() - dayMs}, 0)`;

/**
 * How many listings the seller may publish in 24 hours, and has published. Deleted ones count, but those that the undo of
 * an import took back.
 */
function dailyListings(db: Db, seller: Viewer, limits: ListingLimits) {
  const since = Date.now() - dayMs;
  // Ids are made shortly before the time of creation is noted.
  const isRecent = and(
    eq(phones.sellerId, seller.id),
    gt(phones.id, firstIdAt(new Date(since - hourMs))),
    gt(phones.createdAt, new Date(since)),
  );
  const undone = db
    .select({ id: sql<string>`${listingImportRows.phoneId}` })
    .from(listingImports)
    .innerJoin(listingImportRows, eq(listingImportRows.importId, listingImports.id))
    .where(
      and(
        eq(listingImports.sellerId, seller.id),
        isUndoneToday(),
        eq(listingImportRows.plan, "created"),
        eq(listingImportRows.result, "undone"),
        // It was not deleted before.
        isNull(listingImportRows.refusal),
        isNotNull(listingImportRows.phoneId),
      ),
    );
  const limit = sql`case when ${users.verified} then ${limits.MAX_LISTINGS_A_DAY_VERIFIED}
    when ${users.emailVerifiedAt} is not null then ${limits.MAX_LISTINGS_A_DAY}
    else ${limits.MAX_LISTINGS_A_DAY_UNCONFIRMED} end`;
  return { limit, published: db.$count(phones, and(isRecent, notInArray(phones.id, undone))) };
}

/** Condition: the seller may publish another listing today. */
function isWithinDailyLimit(db: Db, seller: Viewer, limits: ListingLimits) {
  const { limit, published } = dailyListings(db, seller, limits);
  return hasRow(db, users, and(eq(users.id, seller.id), gt(limit, published)));
}

/** How many listings the seller can still publish today. */
export async function listingsLeftToday(db: Db, seller: Viewer, limits: ListingLimits): Promise<number> {
  const { limit, published } = dailyListings(db, seller, limits);
  const [left] = await db
    .select({ count: sql<number>`max(0, ${limit} - ${published})` })
    .from(users)
    .where(eq(users.id, seller.id));
  return left?.count ?? 0;
}

/** Removes a new listing if its seller was removed or suspended during the request. */
function removeIfSellerIsRemoved(db: Db, phoneId: string) {
  return db
    .update(phones)
    .set({ hiddenById: removalOfSeller })
    .where(and(eq(phones.id, phoneId), isNotNull(removalOfSeller)));
}
