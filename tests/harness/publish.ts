import type { Db } from "#app/db/client.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import type { NewListing } from "#app/features/listings/listing.schema.ts";
import { addPhone } from "#app/features/listings/publishing.server.ts";

const noLimits = {
  MAX_LISTINGS_A_DAY: 999_999,
  MAX_LISTINGS_A_DAY_UNCONFIRMED: 999_999,
  MAX_LISTINGS_A_DAY_VERIFIED: 999_999,
};

/** Publishes a listing as its form does; a seller may publish any number. */
export async function publish(
  db: Db,
  seller: Viewer,
  phone: NewListing,
  formKey: string | null,
  holdsFirst = false,
): Promise<string> {
  const outcome = await addPhone(db, seller, phone, { formKey, holdsFirst, limits: noLimits });
  if ("refusal" in outcome) throw new Error(outcome.refusal);
  return outcome.id;
}
