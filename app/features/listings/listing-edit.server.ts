import { and, eq, gt, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import { freeStatuses, type SaleStatus } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  notifications,
  offers,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  payments,
  phones,
  priceChanges,
  users,
} from "#app/db/schema.ts";
import { derivedKey, keyedHash } from "#app/server/config/crypto.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { isDisputed } from "../audit/order-windows.server.ts";
import { isNotBack, isReturned } from "../audit/removals.server.ts";
import { resumeReviews } from "../reviews/write-review.server.ts";
import { attributesWith, statedOnly } from "./attributes.ts";
import { deviceName } from "./device-variant.rules.ts";
import {
  deviceVariantStatements,
  listedSpellingOf,
  sizeKeyOf,
  withSpelledBrand,
} from "./device-variants.server.ts";
import type { editRefusals } from "./edit-refusals.ts";
import { fairPrice } from "./fair-price.server.ts";
import type { ListingEdit } from "./listing-edit.schema.ts";
import {
  hidingDecision,
  holdsImei,
  type ImportStep,
  imeiIfStillFree,
  isEndedByReturn,
  removalOfSeller,
} from "./listing-removal.server.ts";
import { attributeColumns, emptyAttributeColumns, hasImeiColumn, statedColumns } from "./listings.server.ts";
import { editQuestions } from "./plausibility.rules.ts";
import { onSaleOrPaused } from "./sale-change.server.ts";
import { freeOwnNumber, isFreeNumber } from "./sellings.server.ts";
import { sizeKey } from "./size.rules.ts";
import { queueEditedListings } from "./unmatched-listings.server.ts";

/** The result of an edit; all but "saved" change nothing. */
type EditOutcome = "saved" | "unknown listing" | keyof typeof editRefusals;

export type OwnListing = NonNullable<Awaited<ReturnType<typeof findOwnListing>>>;

/** Finds a seller's own listing for editing, or null. It says only whether there is an IMEI. */
export async function findOwnListing(db: Db, seller: Viewer, phoneId: string) {
  const [listing] = await db
    .select({
      id: phones.id,
      ...attributeColumns,
      image: phones.image,
      sellingReason: phones.sellingReason,
      marketCents: phones.marketCents,
      sellingCents: phones.sellingCents,
      postDate: phones.postDate,
      ownNumber: phones.ownNumber,
      hasImei: hasImeiColumn,
      status: phones.status,
      orderId: sql<string | null>`${orders.id}`.as("order_id"),
      isReturned: sql`${isReturned(db)}`.mapWith(Boolean).as("is_returned"),
      isNotBack: sql`${isNotBack(db)}`.mapWith(Boolean).as("is_not_back"),
    })
    .from(phones)
    .leftJoin(orders, and(eq(orders.phoneId, phones.id), eq(orders.status, "active")))
    .where(isOwnListing(db, seller, phoneId));
  return listing ?? null;
}

/** Finds a listing that the seller has just published and can say more about; otherwise null. */
export async function findListingToComplete(db: Db, seller: Viewer, phoneId: string) {
  const [listing] = await db
    .select({ id: phones.id, brandName: phones.brandName, model: phones.model, cover: phones.cover })
    .from(phones)
    .where(and(isOwnListing(db, seller, phoneId), eq(phones.status, "available"), isNull(phones.condition)));
  return listing ? { id: listing.id, name: deviceName(listing), hasPhotos: listing.cover !== null } : null;
}

/**
 * Edits a seller's own listing. While it is reserved, the device's identity cannot change; once it is sold, nothing
 * can. A new asking price is added to the price history. A returned device stays hidden unless it is listed again.
 *
 * @param imeiHashes keyed hashes of the entered IMEI, one for each of the deployment's secrets, newest first; empty
 *   if no IMEI was entered
 */
export async function editListing(
  db: Db,
  seller: Viewer,
  phoneId: string,
  { imei: _, removeImei, listAgain, marketPrice, sellingPrice, ...facts }: ListingEdit,
  imeiHashes: string[],
  step?: ImportStep,
): Promise<EditOutcome> {
  const edit = await withSpelledBrand(db, facts);
  const [newHash] = imeiHashes;
  const keepsImei = !newHash && !removeImei;
  const listing = isOwnListing(db, seller, phoneId);
  const refusal = await batchUnless<Exclude<EditOutcome, "saved">>(
    db,
    {
      "not due": step?.isDue,
      "unknown listing": hasRow(db, phones, listing),
      "changed since": step?.isUnchanged,
      sold: hasRow(db, phones, and(listing, ne(phones.status, "sold"))),
      "imei taken": newHash ? not(imeiIsListedElsewhere(db, phoneId, imeiHashes)) : undefined,
      "number taken": facts.ownNumber ? isFreeNumber(db, seller, facts.ownNumber, phoneId) : undefined,
      "identity locked": hasRow(
        db,
        phones,
        and(listing, or(isFree(db), keepsDeviceIdentity(edit, keepsImei))),
      ),
    },
    [
      ...deviceVariantStatements(db, edit),
      queueEditedListings(db, eq(phones.id, phoneId)),
      ...(facts.ownNumber ? [freeOwnNumber(db, seller, facts.ownNumber)] : []),
      db.insert(priceChanges).select(
        db
          .select({
            id: valueFor(priceChanges.id, timeOrderedId()),
            phoneId: sql`${phones.id}`.as("phone_id"),
            oldCents: sql`${phones.sellingCents}`.as("old_cents"),
            newCents: valueFor(priceChanges.newCents, sellingPrice),
            createdAt: valueFor(priceChanges.createdAt, new Date()),
            removalId: valueFor(priceChanges.removalId, null),
          })
          .from(phones)
          .where(and(listing, ne(phones.sellingCents, sellingPrice))),
      ),
      db
        .update(phones)
        .set({
          ...emptyAttributeColumns,
          ownNumber: null,
          ...statedColumns(edit),
          brandName: listedSpellingOf(edit.brandName),
          marketCents: marketPrice,
          sellingCents: sellingPrice,
          ...(keepsImei ? {} : { imeiHash: newHash ?? null }),
        })
        .where(listing),
      ...(listAgain ? listReturned(db, seller, phoneId) : []),
      ...(step ? [step.record(phoneId)] : []),
    ],
  );
  return refusal ?? "saved";
}

/** Statements: list a device again. Its seller has it back, which ends a problem about that. */
function listReturned(db: Db, seller: Viewer, phoneId: string) {
  const returned = and(isOwnListing(db, seller, phoneId), isReturned(db));
  return [
    ...endNotReturned(
      db,
      seller,
      sql`${db.select({ id: phones.hiddenById }).from(phones).where(returned)}`,
      "listed again",
    ),
    db.insert(orderSteps).select(
      db
        .select({
          id: valueFor(orderSteps.id, timeOrderedId()),
          orderId: sql<string>`${phones.hiddenById}`.as("order_id"),
          kind: valueFor(orderSteps.kind, "listed again"),
          actorId: valueFor(orderSteps.actorId, seller.id),
          createdAt: valueFor(orderSteps.createdAt, new Date()),
          reason: valueFor(orderSteps.reason, null),
        })
        .from(phones)
        .where(returned),
    ),
    db
      .update(phones)
      .set({
        hiddenById: sql`coalesce(${hidingDecision}, ${removalOfSeller})`,
        ...onSaleOrPaused(seller),
        imeiHash: imeiIfStillFree(db),
      })
      .where(returned),
  ];
}

/**
 * Statements: the problem that the device of orders has not been given back is solved. The buyer is told why, unless they
 * are paid back now, which they are told of.
 */
export function endNotReturned(
  db: Db,
  seller: Viewer,
  orderIds: SQL,
  problemStep: "closed" | "listed again",
) {
  const stepId = timeOrderedId();
  const now = new Date();
  const isEnding = and(
    sql`${orderProblems.orderId} in (${orderIds})`,
    eq(orderProblems.kind, "not returned"),
    isNull(orderProblems.endedAt),
  );
  const isRefundDue = and(
    isEndedByReturn(db),
    hasRow(
      db,
      payments,
      and(
        eq(payments.orderId, orders.id),
        isNotNull(payments.paidAt),
        isNull(payments.settledAt),
        sql`not ${isDisputed}`,
      ),
    ),
  );
  return [
    db.insert(orderProblemSteps).select(
      db
        .select({
          id: valueFor(orderProblemSteps.id, stepId),
          problemId: sql`${orderProblems.id}`.as("problem_id"),
          actorId: valueFor(orderProblemSteps.actorId, seller.id),
          kind: valueFor(orderProblemSteps.kind, "closed"),
          offer: valueFor(orderProblemSteps.offer, null),
          amountCents: valueFor(orderProblemSteps.amountCents, null),
          text: valueFor(orderProblemSteps.text, ""),
          createdAt: valueFor(orderProblemSteps.createdAt, now),
        })
        .from(orderProblems)
        .where(isEnding),
    ),
    db
      .insert(notifications)
      .select(
        db
          .select(
            notificationValues("problem answer", {
              userId: orderProblems.buyerId,
              subject: orders.productName,
              details: { problemStep },
              path: sql`'/manage/orders/' || ${orders.id} || '/problem'`,
              event: `problem ${stepId}`,
            }),
          )
          .from(orderProblems)
          .innerJoin(orders, eq(orders.id, orderProblems.orderId))
          .innerJoin(users, and(eq(users.id, orderProblems.buyerId), isNull(users.removalId)))
          .where(and(isEnding, sql`not ${isRefundDue}`)),
      )
      .onConflictDoNothing(),
    db
      .update(orderProblems)
      .set({ state: "solved", lastStepId: stepId, deadlineAt: null, reminderAt: null, endedAt: now })
      .where(isEnding),
    resumeReviews(db, sql`(${orderIds})`, now),
  ];
}

/** Changes some fields of a seller's own listing, and keeps the others. */
export async function changeListing(
  db: Db,
  seller: Viewer,
  phoneId: string,
  changes: Partial<ListingEdit>,
  imeiHashes: string[],
  step?: ImportStep,
): Promise<EditOutcome> {
  const listing = await findOwnListing(db, seller, phoneId);
  if (!listing) return "unknown listing";
  return editListing(db, seller, phoneId, { ...unchangedEdit(listing), ...changes }, imeiHashes, step);
}

/** The edit of a listing that changes nothing. */
export function unchangedEdit(listing: OwnListing): ListingEdit {
  const {
    id: _,
    hasImei: __,
    status: ___,
    orderId: ____,
    isReturned: _____,
    isNotBack: ______,
    marketCents,
    sellingCents,
    ...facts
  } = listing;
  return { ...statedOnly(facts), marketPrice: marketCents, sellingPrice: sellingCents };
}

/**
 * Edits a listing, unless the seller is asked about it first.
 *
 * @param options.confirmed what they were asked before
 */
export async function editOnceConfirmed(
  db: Db,
  seller: Viewer,
  listing: OwnListing,
  edit: ListingEdit,
  { confirmed, imeiHashes }: { confirmed?: string[] | undefined; imeiHashes: string[] },
): Promise<EditOutcome | ReturnType<typeof editQuestions>> {
  // A sold one is refused.
  const questions = listing.status === "sold" ? null : await questionsAboutEdit(db, listing, edit, confirmed);
  if (questions && questions.asked.length > 0) return questions;
  return editListing(db, seller, listing.id, edit, imeiHashes);
}

async function questionsAboutEdit(db: Db, listing: OwnListing, edit: ListingEdit, confirmed?: string[]) {
  const priced = async (stated: ListingEdit) => ({ stated, usual: await fairPrice(db, stated) });
  const [before, after] = await Promise.all([priced(unchangedEdit(listing)), priced(edit)]);
  return editQuestions(before, after, confirmed);
}

/** Hashes an IMEI with a key from each secret, newest first, so that hashes under older secrets are found too. */
export function imeiHashesOf(secrets: string[], imei: string | undefined): Promise<string[]> {
  if (!imei) return Promise.resolve([]);
  return Promise.all(secrets.map(async (secret) => keyedHash(await derivedKey(secret, "IMEIs"), imei)));
}

/** Condition on `offers`: its buyer waits for the answer, or can book at its price. */
export const isOpenOffer = () =>
  or(
    and(isNull(offers.answer), gt(offers.expiresAt, new Date())),
    and(eq(offers.answer, "accepted"), gt(offers.usableUntil, new Date())),
  );

/** Condition on `phones`: neither booked nor sold, and without an open offer. */
function isFree(db: Db) {
  return and(
    inArray(phones.status, freeStatuses),
    not(hasRow(db, offers, and(eq(offers.phoneId, phones.id), isOpenOffer()))),
  );
}

/** What of a listing can be edited; `editListing` decides. */
export const editableColumns = (db: Db) => ({
  status: phones.status,
  isShown: sql`${or(isNull(phones.hiddenById), isReturned(db))}`.mapWith(Boolean).as("is_shown"),
  isFree: sql`${isFree(db)}`.mapWith(Boolean).as("is_free"),
});

/** Why `editListing` would refuse to change these attributes of an own listing; null if it would not. */
export function editRefusalOf(
  { status, isShown, isFree }: { status: SaleStatus; isShown: boolean; isFree: boolean },
  changed: string[],
): "unknown listing" | "sold" | "identity locked" | null {
  if (!isShown) return "unknown listing";
  if (status === "sold") return "sold";
  const identity: string[] = [...attributesWith("identifies"), "imei"];
  return !isFree && changed.some((name) => identity.includes(name)) ? "identity locked" : null;
}

function keepsDeviceIdentity(
  edit: Omit<ListingEdit, "marketPrice" | "sellingPrice">,
  keepsImei: boolean,
): SQL | undefined {
  return and(
    ...attributesWith("identifies").map((name) =>
      name === "ram" || name === "rom"
        ? eq(sizeKeyOf(phones[name]), sizeKey(edit[name]))
        : eq(phones[name], edit[name]),
    ),
    keepsImei ? undefined : sql`false`,
  );
}

function isOwnListing(db: Db, seller: Viewer, phoneId: string) {
  const isEditable = or(isNull(phones.hiddenById), isReturned(db));
  return and(eq(phones.id, phoneId), eq(phones.sellerId, seller.id), isEditable);
}

/** The condition that another listing holds one of these IMEIs. */
export function imeiIsListedElsewhere(db: Db, phoneId: string, imeiHashes: string[]) {
  const isSame = and(inArray(phones.imeiHash, imeiHashes), holdsImei(phones));
  return hasRow(db, phones, and(isSame, ne(phones.id, phoneId)));
}
