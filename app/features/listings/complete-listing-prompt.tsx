import { Link } from "@remix-run/react";

export function CompleteListingPrompt({ listing }: { listing: { id: string; name: string } }) {
  return (
    <section
      aria-labelledby="complete-listing"
      className="mb-8 rounded-box border border-base-300 bg-base-200 p-5"
    >
      <h2 id="complete-listing" className="text-xl font-semibold wrap-anywhere">
        {listing.name} is now for sale
      </h2>
      <p className="mt-1 max-w-prose">
        Buyers look at condition and photos first. Add them now, or later under My Sells.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to={`/manage/mysells/${listing.id}/edit`} className="btn btn-outline">
          Add condition and battery
        </Link>
        <Link to={`/manage/mysells/${listing.id}/photos`} className="btn btn-outline">
          Add photos
        </Link>
      </div>
    </section>
  );
}
