import type { Db } from "#app/db/client.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { undoRemoval } from "#app/features/administration/undo.server.ts";
import type { BookingDetails, PhoneDescription } from "#app/features/orders/booking.schema.ts";
import { bookListing } from "#app/features/orders/booking.server.ts";

/** More reservations than any test makes. */
export const noLimits = {
  MAX_RESERVATIONS: 999_999,
  MAX_RESERVATIONS_UNCONFIRMED: 999_999,
  MAX_RESERVATIONS_NEW_ACCOUNTS: 999_999,
};

type Options = Partial<Parameters<typeof bookListing>[4]>;

/** Books a phone; a buyer may reserve any number unless the options limit it. */
export function bookWithoutLimits(
  db: Db,
  buyer: Viewer,
  wanted: string | PhoneDescription,
  details: BookingDetails,
  options: Options = {},
) {
  return bookListing(db, buyer, wanted, details, { limits: noLimits, ...options });
}

/** Undoes a removal; a buyer may reserve any number unless it is limited. */
export function undoWithoutLimits(db: Db, actor: Viewer, removalId: string, limits = noLimits) {
  return undoRemoval(db, actor, removalId, limits);
}
