import { Link } from "@remix-run/react";

/** What to add to a listing that has just been published. */
export function CompleteListingPrompt({ listing }: { listing: { id: string; name: string } }) {
  return (
    <section aria-labelledby="next-step" className="mb-8 rounded-box border border-base-300 bg-base-200 p-5">
      <h2 id="next-step" className="text-xl font-semibold wrap-anywhere">
        {listing.name} is now for sale
      </h2>
      <p className="mt-1 max-w-prose">
        Buyers ask first how well it has been kept, and trust what they can see. Say and show it now, or
        whenever you like.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to={`/manage/mysells/${listing.id}/edit`} className="btn btn-outline">
          Add condition and battery
        </Link>
        <Link to={`/manage/mysells/${listing.id}/photos`} className="btn btn-outline">
          Add its photos
        </Link>
      </div>
    </section>
  );
}
