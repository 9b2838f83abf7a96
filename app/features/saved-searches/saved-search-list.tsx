import type { SerializeFrom } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { countLabel } from "#app/market.ts";
import { RowAction } from "#app/ui/row-action.tsx";
import type { Category } from "../catalog/category.rules.ts";
import type { SearchQuery } from "../catalog/search/search-query.rules.ts";
import { frequencyLabels, searchLabels } from "./saved-search.rules.ts";
import type { SavedSearch } from "./saved-searches.server.ts";

export function SavedSearchList({ searches }: { searches: SerializeFrom<SavedSearch>[] }) {
  return (
    <ul className="grid gap-4">
      {searches.map((search) => (
        <li key={search.id}>
          <SavedSearchCard search={search} />
        </li>
      ))}
    </ul>
  );
}

function SavedSearchCard({ search }: { search: SerializeFrom<SavedSearch> }) {
  const { id, name, category, query, frequency, newMatchCount } = search;
  const titleId = `search-${id}`;
  return (
    <article
      aria-labelledby={titleId}
      className="grid gap-4 rounded-box border border-base-300 p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:p-5"
    >
      <div className="min-w-0">
        <h2 id={titleId} className="text-lg font-semibold wrap-anywhere">
          {/* It counts the new listings as seen, so it is never fetched ahead. */}
          <Link to={`/manage/searches/${id}`} prefetch="none" className="link">
            {name}
          </Link>
        </h2>
        <div className="mt-2">
          <SearchTerms category={category} query={query} />
        </div>
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet tabular-nums">
          <span className={newMatchCount > 0 ? "font-semibold text-primary" : ""}>
            {newMatchCount > 0 ? `${countLabel(newMatchCount)} new` : "Nothing new"}
          </span>
          <span>Alerts: {frequencyLabels[frequency].toLowerCase()}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <Link
          to={`/manage/searches/${id}/edit`}
          aria-label={`Edit ${name}`}
          className="btn btn-outline btn-sm"
        >
          Edit
        </Link>
        <RowAction id={id} target={name}>
          Delete
        </RowAction>
      </div>
    </article>
  );
}

/** The words and filters of a search. */
export function SearchTerms({ category, query }: { category: Category; query: SearchQuery }) {
  return (
    <ul aria-label="Words and filters" className="flex flex-wrap gap-2">
      {searchLabels(category, query).map((label) => (
        <li key={label} className="max-w-full rounded-full bg-base-200 px-3 py-1 text-sm wrap-anywhere">
          {label}
        </li>
      ))}
    </ul>
  );
}
