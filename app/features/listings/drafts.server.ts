import { and, desc, eq, isNotNull, lt, ne, not, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { listingDrafts, phones, photos } from "#app/db/schema.ts";
import { sha256Hex } from "#app/server/config/crypto.server.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { detachDraftPhotos, moveDraftPhotos } from "../photos/photos.server.ts";
import { statedOnly } from "./attributes.ts";
import { attributeColumns } from "./listings.server.ts";
import { toAmount } from "./money.rules.ts";

const maxDrafts = 20;
const maxLength = 2000;

export const draftRefusals = {
  "account closed": "Your account has been closed.",
  "too many drafts": `You have ${maxDrafts} drafts, the most you can keep. Publish or delete one under My Sells first.`,
};

/**
 * Keeps the texts of a form of a new listing, in place of those that it has kept before; returns why not. The IMEI is
 * left out, since only its hash may be stored.
 *
 * @param id the form's key, with which the listing is published later
 * @param typed anything: it is checked when the listing is published
 */
export async function saveDraft(
  db: Db,
  seller: Viewer,
  id: string,
  { imei: _, ...typed }: Record<string, unknown>,
): Promise<keyof typeof draftRefusals | null> {
  const texts = Object.entries(typed).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.slice(0, maxLength)]] : [],
  );
  const others = and(eq(listingDrafts.sellerId, seller.id), ne(listingDrafts.id, id));
  const isFree = lt(db.$count(listingDrafts, others), maxDrafts);
  const draft = { typed: Object.fromEntries(texts) as Record<string, string> };
  return batchUnless(db, { "account closed": isOpenAccount(db, seller), "too many drafts": isFree }, [
    db
      .insert(listingDrafts)
      .values({ ...draft, id, sellerId: seller.id })
      .onConflictDoUpdate({ target: [listingDrafts.sellerId, listingDrafts.id], set: draft }),
  ]);
}

/** The seller's drafts with what their rows show, newest first. */
export function listDrafts(db: Db, seller: Viewer) {
  const { typed } = listingDrafts;
  const text = (name: string) => sql<string>`coalesce(${typed} ->> ${name}, '')`;
  return db
    .select({
      id: listingDrafts.id,
      ram: text("ram").as("ram"),
      rom: text("rom").as("rom"),
      sellingPrice: text("sellingPrice").as("selling_price"),
      name: sql<string>`trim(${text("brandName")} || ' ' || ${text("model")})`.as("name"),
    })
    .from(listingDrafts)
    .where(eq(listingDrafts.sellerId, seller.id))
    .orderBy(desc(listingDrafts.createdAt));
}

export const countDrafts = (db: Db, seller: Viewer) =>
  db.$count(listingDrafts, eq(listingDrafts.sellerId, seller.id));

export async function findDraft(db: Db, seller: Viewer, id: string) {
  const [draft] = await db
    .select({ id: listingDrafts.id, typed: listingDrafts.typed })
    .from(listingDrafts)
    .where(isOwnDraft(seller, id));
  return draft ?? null;
}

/**
 * Copies a listing of the seller, also a sold one, into a draft without photos, IMEI and own number. If there is one as
 * it would be, with nothing added, it is that.
 *
 * @param formKey of the page: pressed twice there, it makes one draft
 * @returns the draft's id, or why there is none
 */
export async function draftFromListing(
  db: Db,
  seller: Viewer,
  phoneId: string,
  formKey: string | null,
): Promise<{ id: string } | { refusal: keyof typeof draftRefusals | "unknown listing" }> {
  // 36 hex digits, the format of a form key: the draft's id is the key of its form.
  const id = (await sha256Hex(`${formKey ?? crypto.randomUUID()} ${phoneId}`)).slice(0, 36);
  if (await findDraft(db, seller, id)) return { id };
  const [listing] = await db
    .select({
      ...attributeColumns,
      sellingReason: phones.sellingReason,
      marketCents: phones.marketCents,
      sellingCents: phones.sellingCents,
    })
    .from(phones)
    .where(and(eq(phones.id, phoneId), eq(phones.sellerId, seller.id), isNotNull(phones.tab)));
  if (!listing) return { refusal: "unknown listing" };
  const { marketCents, sellingCents, ...stated } = listing;
  const typed = {
    ...Object.fromEntries(Object.entries(statedOnly(stated)).map(([name, value]) => [name, String(value)])),
    marketPrice: String(toAmount(marketCents)),
    sellingPrice: String(toAmount(sellingCents)),
  };
  const [same] = await db
    .select({ id: listingDrafts.id })
    .from(listingDrafts)
    .where(
      and(
        eq(listingDrafts.sellerId, seller.id),
        eq(listingDrafts.typed, typed),
        not(hasRow(db, photos, eq(photos.draftId, listingDrafts.id))),
      ),
    )
    .limit(1);
  if (same) return same;
  const refusal = await saveDraft(db, seller, id, typed);
  return refusal ? { refusal } : { id };
}

/** Deletes a draft with its photos. */
export async function deleteDraft(db: Db, seller: Viewer, id: string): Promise<void> {
  await db.batch([detachDraftPhotos(db, seller, id), deleteTexts(db, seller, id)]);
}

/** The statements that make a draft a listing, in the batch that inserts it. */
export function endDraft(db: Db, seller: Viewer, id: string, phoneId: string) {
  return [...moveDraftPhotos(db, seller, id, phoneId), deleteTexts(db, seller, id)] as const;
}

function deleteTexts(db: Db, seller: Viewer, id: string) {
  return db.delete(listingDrafts).where(isOwnDraft(seller, id));
}

function isOwnDraft(seller: Viewer, id: string) {
  return and(eq(listingDrafts.sellerId, seller.id), eq(listingDrafts.id, id));
}
