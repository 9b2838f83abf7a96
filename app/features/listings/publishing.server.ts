import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { deviceVariantStatements } from "./device-variants.server.ts";
import { holdFirstListing, isHeld } from "./first-listing-hold.server.ts";
import { removalOfSeller } from "./listing-removal.server.ts";
import type { NewPhone } from "./phone.schema.ts";
import { queueNewListing } from "./unmatched-listings.server.ts";

/**
 * Publishes a listing.
 *
 * @param formKey idempotency key: the same form submitted again creates no second listing
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
  const row = { ...facts, marketCents: marketPrice, sellingCents: sellingPrice, sellerId: seller.id };
  const id = timeOrderedId();
  const variant = deviceVariantStatements(db, phone);
  const afterInsertion = [
    removeIfSellerIsRemoved(db, id),
    ...(holdsFirst ? holdFirstListing(db, id) : []),
    queueNewListing(db, id),
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
  const sameValues = Object.entries(row).map(([name, value]) => eq(phones[name as keyof typeof row], value));
  const [same] = await db
    .select({ id: phones.id })
    .from(phones)
    .where(and(eq(phones.formKey, formKey), or(isNull(phones.removalId), isHeld(db)), ...sameValues));
  if (same) return same.id;
  await db.batch([...variant, db.insert(phones).values({ id, ...row }), ...afterInsertion]);
  return id;
}

/** Removes a new listing if its seller was removed or suspended during the request. */
function removeIfSellerIsRemoved(db: Db, phoneId: string) {
  return db
    .update(phones)
    .set({ removalId: removalOfSeller })
    .where(and(eq(phones.id, phoneId), isNotNull(removalOfSeller)));
}
