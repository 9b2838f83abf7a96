import { Link } from "@remix-run/react";
import { bookingRefusalText } from "./booking.rules.ts";
import type { BookingRefusalReason } from "./bookings.server.ts";

const hints: Partial<Record<BookingRefusalReason, string>> = {
  reserved: "Another buyer reserved it. If they cancel, you can book it.",
  sold: "Choose another device from the list.",
  "own phone": "You find it in My Sellings, where you can edit or delete it.",
};

/** Replaces the booking form when the phone cannot be booked. */
export function BookingRefusal({
  reason,
  orderId,
  wasSubmitted,
  backTo,
}: {
  reason: BookingRefusalReason;
  orderId?: string;
  /** Whether the form was refused, so that the buyer lost it to a faster one. */
  wasSubmitted: boolean;
  backTo: string;
}) {
  return (
    <div className="py-6 text-center">
      <p role="alert" className="font-display text-2xl font-semibold">
        {bookingRefusalText(wasSubmitted && reason === "reserved" ? "just reserved" : reason)}
      </p>
      {hints[reason] && <p className="mx-auto mt-2 max-w-prose text-quiet">{hints[reason]}</p>}
      <p className="mt-6 flex flex-wrap justify-center gap-3">
        <Link to={backTo} preventScrollReset className="btn btn-primary">
          {backTo.startsWith("/phones/") ? "Back to the listing" : "Back to the list"}
        </Link>
        {orderId && (
          <Link to={`/manage/orders/${orderId}`} className="btn btn-outline">
            View order
          </Link>
        )}
      </p>
    </div>
  );
}
