import { brand } from "#app/brand.ts";
import { market } from "#app/market.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon, SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { modelPath } from "../listings/device-variant.rules.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import { type Category, type DeviceNoun, devicesLabel } from "./category.rules.ts";
import type { ClosestModel } from "./search/search.server.ts";
import {
  invertedPriceRangeMessage,
  isPriceRangeInverted,
  type SearchQuery,
  searchString,
  withoutCursor,
} from "./search/search-query.rules.ts";
import { hasWords } from "./search/search-words.rules.ts";
import { ClearAll } from "./search-summary.tsx";

export function EmptyList({
  category: { path, noun, name },
  query,
  count,
  corrected,
  models,
  isOtherGood,
  saveSearchPath,
}: {
  category: Category;
  query: SearchQuery;
  count: number;
  corrected: string | null;
  models: ClosestModel[];
  isOtherGood: boolean;
  saveSearchPath: string;
}) {
  if (count > 0 || query.cursor) return <EmptyPage firstPage={path + searchString(withoutCursor(query))} />;
  const filters = appliedFilters(query, corrected).map(({ label }) => label);
  if (filters.length > 0) {
    return (
      <>
        <EmptyState
          icon={<SearchIcon className="size-10" />}
          title={`No ${noun}s found`}
          text={
            isPriceRangeInverted(query)
              ? invertedPriceRangeMessage
              : isOtherGood
                ? `${brand.name} sells phones and tablets only.`
                : noMatchesLabel(filters, noun, hasWords(query.words), path === "/products" ? null : name)
          }
        >
          {!isPriceRangeInverted(query) && !isOtherGood && (
            <Link to={saveSearchPath} rel="nofollow" className="btn btn-primary">
              Notify me
            </Link>
          )}
          {path !== "/products" && (
            <Link to={`/products${searchString(withoutCursor(query))}`} className="btn btn-outline">
              Search all products
            </Link>
          )}
          <ClearAll path={path} query={query} className="btn btn-outline" />
        </EmptyState>
        {models.length > 0 && <ClosestModels models={models} />}
      </>
    );
  }
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title={`No ${noun}s for sale right now`}
      text={
        path === "/products"
          ? "Be the first to sell a device here."
          : `See what else is for sale, or be the first to sell a ${noun} here.`
      }
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

/** @param list the name of the list, unless it's that of all products: "Tablets" */
function noMatchesLabel(
  [first = "", ...others]: string[],
  noun: DeviceNoun,
  hasWords: boolean,
  list: string | null,
): string {
  const devices = list === null || noun === "tablet" ? `${noun}s` : `${list} ${noun}s`;
  if (others.length > 0) {
    const all = new Intl.ListFormat(market.locale).format([first, ...others]);
    return `No ${devices} match all your filters: ${all}. Remove one to see more.`;
  }
  return hasWords
    ? `No results for ${first}${list === null ? "" : ` in ${list}`}.`
    : `No ${devices} match ${first}. Remove it to see more.`;
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
              <span className="shrink-0 text-sm text-quiet tabular-nums">{devicesLabel(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
