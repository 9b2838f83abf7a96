import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon, SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { phonesLabel } from "../phones/phone-count.rules.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import type { NearModel } from "./near-models.server.ts";
import { crossedRange } from "./price-range.tsx";
import { firstPage, isCrossed, type SearchQuery, searchString } from "./search-query.rules.ts";
import { ClearAll } from "./search-summary.tsx";

/** A list, or a page of it, with nothing on it. */
export function EmptyList({
  path,
  query,
  count,
  corrected,
  models,
}: {
  path: string;
  query: SearchQuery;
  count: number;
  /** The words that were searched for in place of the typed ones, if others. */
  corrected: string | null;
  /** Offered where no phone has the words. */
  models: NearModel[];
}) {
  const icon = <PhoneIcon className="size-10" />;
  if (count > 0 || query.cursor) {
    return (
      <EmptyState
        icon={icon}
        title="No more phones here"
        text="The phones on this page are no longer for sale. Start again from the first page."
      >
        <Link to={path + searchString(firstPage(query))} className="btn btn-primary">
          Start again
        </Link>
      </EmptyState>
    );
  }
  const filters = appliedFilters({ ...query, words: corrected ?? query.words }).map(({ label }) => label);
  if (filters.length > 0) {
    const together = filters.length > 1 ? "all of these at once" : "this";
    return (
      <>
        <EmptyState
          icon={<SearchIcon className="size-10" />}
          title="No phone matches"
          text={isCrossed(query) ? crossedRange : `Nothing here is ${together}: ${filters.join(", ")}.`}
        >
          <ClearAll path={path} query={query} className="btn btn-primary" />
        </EmptyState>
        {models.length > 0 && <NearModels models={models} />}
      </>
    );
  }
  return (
    <EmptyState
      icon={icon}
      title="Nothing for sale here right now"
      text="New devices come in every day. Look at the other categories, or be the first to sell one here."
    >
      {path !== "/products" && (
        <Link to="/products" className="btn btn-primary">
          See all products
        </Link>
      )}
      <Link to="/addphone" className="btn btn-outline">
        Sell a device
      </Link>
    </EmptyState>
  );
}

/** Models to go on with, each with how many phones of it are for sale. */
function NearModels({ models }: { models: NearModel[] }) {
  return (
    <section aria-labelledby="near-models" className="mt-8">
      <h2 id="near-models" className="text-2xl font-semibold">
        Try one of these models
      </h2>
      <ul className="mt-4 grid gap-3 sm:grid-cols-2">
        {models.map(({ slug, name, count }) => (
          <li key={slug}>
            <Link
              to={`/models/${encodeURIComponent(slug)}`}
              className="flex h-full items-center justify-between gap-4 rounded-box border border-base-300 p-5 hover:border-primary hover:text-primary"
            >
              <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
              <span className="shrink-0 text-sm text-quiet tabular-nums">{phonesLabel(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
