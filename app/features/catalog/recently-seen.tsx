import { useState } from "react";
import { useOptionalJson } from "#app/ui/fetch-optional-json.ts";
import { focusOnMount } from "#app/ui/focus.ts";
import type { ListingTileData } from "../listings/listings.server.ts";
import { ListingTile } from "./listing-card.tsx";
import { forgetSeenListings, useSeenListings } from "./seen-listings.ts";

/** The listings last seen in this browser. Needs JavaScript, and renders nothing before it knows them. */
export function RecentlySeen({ className }: { className: string }) {
  const ids = useSeenListings().join();
  const found = useOptionalJson<{ phones: ListingTileData[] }>(ids ? `/seen?ids=${ids}` : null);
  const phones = found?.data?.phones ?? [];
  const [wasCleared, setWasCleared] = useState(false);

  if (wasCleared) {
    return (
      // The pressed button is gone.
      <p ref={focusOnMount} tabIndex={-1} className={`text-quiet outline-none ${className}`}>
        Cleared. This browser has forgotten what you looked at.
      </p>
    );
  }
  if (phones.length === 0) return null;
  return (
    <section aria-labelledby="seen" className={className}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="seen" className="text-2xl font-semibold sm:text-3xl">
          Recently seen
        </h2>
        <button
          type="button"
          className="btn btn-ghost"
          onClick={() => {
            forgetSeenListings();
            setWasCleared(true);
          }}
        >
          Clear
        </button>
      </div>
      <ul className="mt-4 flex gap-3 overflow-x-auto pb-3 *:w-40 *:shrink-0 sm:gap-6 sm:*:w-56">
        {phones.map((phone) => (
          <ListingTile key={phone.id} phone={phone} heading="h3" />
        ))}
      </ul>
    </section>
  );
}
