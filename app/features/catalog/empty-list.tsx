import { EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon, SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { modelPath } from "../listings/device-variant.rules.ts";
import { phonesLabel } from "../listings/phone-count.rules.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import { ClearAll } from "./clear-all.tsx";
import type { ClosestModel } from "./closest-models.server.ts";
import { EmptyPage } from "./empty-page.tsx";
import {
  firstPage,
  invertedPriceRangeMessage,
  isPriceRangeInverted,
  type SearchQuery,
  searchString,
} from "./search-query.rules.ts";
import { hasWords } from "./search-words.rules.ts";

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
  corrected: string | null;
  models: ClosestModel[];
}) {
  if (count > 0 || query.cursor) return <EmptyPage firstPage={path + searchString(firstPage(query))} />;
  const filters = appliedFilters({ ...query, words: corrected ?? query.words }).map(({ label }) => label);
  if (filters.length > 0) {
    return (
      <>
        <EmptyState
          icon={<SearchIcon className="size-10" />}
          title="No phones found"
          text={
            isPriceRangeInverted(query)
              ? invertedPriceRangeMessage
              : noMatchesLabel(filters, hasWords(query.words))
          }
        >
          <ClearAll path={path} query={query} className="btn btn-primary" />
        </EmptyState>
        {models.length > 0 && <ClosestModels models={models} />}
      </>
    );
  }
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title="No phones for sale in this category right now"
      text="New devices are listed every day. Browse all products, or be the first to sell a device here."
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

function noMatchesLabel([first = "", ...others]: string[], hasWords: boolean): string {
  if (others.length > 0) {
    return `No phones match all of these filters: ${[first, ...others].join(", ")}. Remove one to see more.`;
  }
  return hasWords
    ? `No phones match ${first}.`
    : `No phones match this filter: ${first}. Remove it to see more.`;
}

function ClosestModels({ models }: { models: ClosestModel[] }) {
  return (
    <section aria-labelledby="near-models" className="mt-8">
      <h2 id="near-models" className="text-2xl font-semibold">
        Try one of these models
      </h2>
      <ul className="mt-4 grid gap-3 sm:grid-cols-2">
        {models.map(({ slug, name, count }) => (
          <li key={slug}>
            <Link
              to={modelPath(slug)}
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
