import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { ListingDetails } from "./listing.server.ts";

/**
 * What a visitor can do about a listing, or why there is nothing to do.
 *
 * @param own whether it is the visitor's own
 * @param similar whether phones like it are shown further down
 */
export function BookingBox({
  listing: { id, status, brandName, model },
  own,
  similar,
}: {
  listing: Pick<ListingDetails, "id" | "status" | "brandName" | "model">;
  own: boolean;
  similar: boolean;
}) {
  const others = similar && (
    <a href="#similar" className="btn btn-outline mt-4 w-full">
      See similar devices
    </a>
  );
  if (status === "sold") {
    return (
      <Notice title="Sold">
        This {brandName} {model} has found its next owner.
        {others}
      </Notice>
    );
  }
  if (own) {
    return (
      <Notice title="Your own listing">
        {status === "reserved"
          ? "Somebody has reserved it. Buyers see it here as you do."
          : "Buyers see it here as you do, with a button to buy it."}
        <Link to={`/manage/mysells/${id}/edit`} className="btn btn-outline mt-4 w-full">
          Edit it
        </Link>
      </Notice>
    );
  }
  if (status === "reserved") {
    return (
      <Notice title="Reserved">
        Somebody is about to buy this one. If they cancel, it can be bought again.
        {others}
      </Notice>
    );
  }
  return (
    <div>
      <Link to={`/products/${id}/book`} className="btn btn-primary btn-lg w-full">
        Buy Now
      </Link>
      <p className="mt-2 text-center text-sm text-quiet">One price in dollars. Nothing is added to it.</p>
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
