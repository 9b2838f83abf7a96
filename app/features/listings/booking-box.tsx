import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { market } from "#app/market.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { FreeAgainForm } from "../saved-listings/free-again-form.tsx";
import type { ListingDetails } from "./listing.server.ts";
import { priceLabel } from "./money.rules.ts";

/** Whether the box has a price and a button, which stay at the bottom of a handset's screen. */
export const hasBuyBar = (status: ListingDetails["status"], isOwn: boolean, booking: OwnBooking | null) =>
  status === "available" && !isOwn && !booking?.waitText;

/** The viewer's own order of a listing, and why they can't book it again yet. */
export interface OwnBooking {
  orderId: string | null;
  /** See `withTimes`. */
  waitText: string | null;
}

/** @param bookPath of the booking dialog, over the page that the box is on */
export function BookingBox({
  listing: { id, status, brandName, model, sellingCents },
  bookPath,
  isOwn,
  booking,
  isSaved,
  hasSimilar,
  paymentText,
}: {
  listing: Pick<ListingDetails, "id" | "status" | "brandName" | "model" | "sellingCents">;
  bookPath: string;
  isOwn: boolean;
  booking: OwnBooking | null;
  isSaved: boolean;
  hasSimilar: boolean;
  /** Whom the buyer pays, and who holds the money. */
  paymentText: string;
}) {
  const { withTimes } = useDateLabels();
  const similarLink = hasSimilar && (
    <a href="#similar" className="btn btn-outline mt-4 w-full">
      See similar devices
    </a>
  );
  if (booking?.orderId) {
    return (
      <Notice title={status === "sold" ? "You bought this" : "Reserved for you"}>
        {status === "sold" ? "You’ve received this device." : "You’ve booked this device."}
        <Link to={`/manage/orders/${booking.orderId}`} className="btn btn-outline mt-4 w-full">
          View order
        </Link>
      </Notice>
    );
  }
  if (status === "sold") {
    return (
      <Notice title="Sold">
        This {brandName} {model} has been sold.
        {similarLink}
      </Notice>
    );
  }
  if (isOwn) {
    return (
      <Notice title="Your own listing">
        {status === "reserved"
          ? "A buyer has reserved it. This is what buyers see."
          : status === "paused"
            ? "You’ve paused it, so it’s on no list and nobody can book it."
            : "This is what buyers see, plus a Buy Now button."}
        <Link to={`/manage/mysells/${id}/edit`} className="btn btn-outline mt-4 w-full">
          Edit listing
        </Link>
      </Notice>
    );
  }
  if (status === "reserved") {
    return (
      <Notice title="Reserved">
        Another buyer got here first.{" "}
        {booking?.waitText
          ? withTimes(booking.waitText)
          : `If they cancel, ${isSaved ? "we’ll tell you." : "you can book it."}`}
        {!isSaved && !booking?.waitText && <FreeAgainForm phoneId={id} className="mt-4 w-full" />}
        {similarLink}
      </Notice>
    );
  }
  if (status === "paused") {
    return (
      <Notice title="Paused">
        The seller has paused this listing. Save it, and we’ll tell you when it’s back.
        {similarLink}
      </Notice>
    );
  }
  if (booking?.waitText)
    return <Notice title="You can’t book this yet">{withTimes(booking.waitText)}</Notice>;
  return (
    <div>
      <div className="buy-bar">
        <p className="font-display text-2xl font-semibold tabular-nums">
          <span className="sr-only">Selling price </span>
          {priceLabel(sellingCents)}
        </p>
        <Link to={bookPath} preventScrollReset className="btn btn-primary btn-lg w-full shrink">
          Buy Now
        </Link>
      </div>
      <p className="mt-2 text-sm text-quiet md:text-center">
        Price in {market.currencyFullName}. No extra fees. {paymentText}
      </p>
    </div>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-box border border-base-300 bg-base-200 p-5">
      <p className="font-display text-2xl leading-tight font-semibold">{title}</p>
      <div className="mt-1 wrap-anywhere">{children}</div>
    </div>
  );
}
