import { Link } from "@remix-run/react";
import { ListingTile } from "#app/features/catalog/listing-card.tsx";
import type { ListingTileData } from "#app/features/listings/listings.server.ts";

/** What can be bought now. On handsets a row that scrolls sideways. */
export function Newest({ phones }: { phones: ListingTileData[] }) {
  return (
    <section aria-labelledby="newest" className="relative border-t-4 border-base-content bg-base-100">
      <div className="page-width py-5 sm:py-12">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id="newest" className="text-2xl font-semibold sm:text-3xl">
            Just listed
          </h2>
          <Link to="/products" className="link inline-flex min-h-11 items-center underline-offset-4">
            See all devices
          </Link>
        </div>
        <ul
          aria-labelledby="newest"
          className="-mx-4 mt-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 *:w-40 *:shrink-0 *:snap-start sm:mx-0 sm:grid sm:grid-cols-4 sm:gap-6 sm:overflow-visible sm:p-0 sm:*:w-auto"
        >
          {phones.map((phone) => (
            <ListingTile key={phone.id} phone={phone} heading="h3" />
          ))}
        </ul>
      </div>
    </section>
  );
}
