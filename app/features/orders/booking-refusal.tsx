import { Link } from "@remix-run/react";
import type { BookingRefusal as Refusal } from "./booking.rules.ts";
import { bookingRefusalText } from "./booking-refusal-text.ts";

const hints: Partial<Record<Refusal["reason"], string>> = {
  reserved: "Another buyer reserved it. If they cancel, you can book it.",
  sold: "Choose another device from the list.",
  "own phone": "You find it in My Sellings, where you can edit or delete it.",
};

/** Replaces the booking form when the phone cannot be booked. */
export function BookingRefusal({
  refusal,
  wasSubmitted,
  backTo,
}: {
  refusal: Refusal;
  /** Whether the form was refused, so that the buyer lost it to a faster one. */
  wasSubmitted: boolean;
  backTo: string;
}) {
  const { reason } = refusal;
  return (
    <div className="py-6 text-center">
      <p role="alert" className="mx-auto max-w-prose font-display text-2xl font-semibold text-balance">
        {bookingRefusalText(wasSubmitted && reason === "reserved" ? { reason: "just reserved" } : refusal)}
      </p>
      {hints[reason] && <p className="mx-auto mt-2 max-w-prose text-quiet">{hints[reason]}</p>}
      <p className="mt-6 flex flex-wrap justify-center gap-3">
        <Link to={backTo} preventScrollReset className="btn btn-primary">
          {backTo.startsWith("/phones/") ? "Back to the listing" : "Back to the list"}
        </Link>
        {"orderId" in refusal && (
          <Link to={`/manage/orders/${refusal.orderId}`} className="btn btn-outline">
            View order
          </Link>
        )}
        {reason === "too many reservations" && (
          <>
            {!refusal.isConfirmed && (
              <Link to="/manage/account" className="btn btn-outline">
                Confirm your address
              </Link>
            )}
            <Link to="/manage" className="btn btn-outline">
              View your orders
            </Link>
          </>
        )}
      </p>
    </div>
  );
}
