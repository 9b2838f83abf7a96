import { Link } from "@remix-run/react";
import { refusalOf } from "./booking.rules.ts";
import type { Refusal } from "./bookings.server.ts";

/** What is said below, where there is anything to say. */
const hints: Partial<Record<Refusal, string>> = {
  "just reserved": "Someone was a moment faster. If they cancel, it comes back to the list.",
  sold: "It is with its new owner. The list has others.",
  "already yours": "You find it in My Orders.",
  "own phone": "Buyers see it here as you do.",
};

/** Stands where the booking form would be when there is nothing to book, and offers a next step. */
export function BookingRefusal({ refusal, listPath }: { refusal: Refusal; listPath: string }) {
  return (
    <div className="py-6 text-center">
      <p role="alert" className="font-display text-2xl font-semibold">
        {refusalOf(refusal)}
      </p>
      <p className="mx-auto mt-2 max-w-prose text-quiet">{hints[refusal]}</p>
      <p className="mt-6 flex flex-wrap justify-center gap-3">
        <Link to={listPath} preventScrollReset className="btn btn-primary">
          Back to the list
        </Link>
        {refusal === "already yours" && (
          <Link to="/manage" className="btn btn-outline">
            My Orders
          </Link>
        )}
      </p>
    </div>
  );
}
