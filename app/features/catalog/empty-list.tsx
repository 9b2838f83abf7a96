import { brand } from "#app/brand.ts";
import { market } from "#app/market.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { PhoneIcon, SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { modelPath } from "../listings/device-variant.rules.ts";
import type { ListingTileData } from "../listings/listings.server.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import { type Category, type DeviceNoun, devicesLabel } from "./category.rules.ts";
import { ListingTile, tileGrid } from "./listing-card.tsx";
import type { ClosestModel } from "./nearest.server.ts";
import {
  invertedPriceRangeMessage,
  isPriceRangeInverted,
  type SearchQuery,
  searchString,
  withoutCursor,
} from "./search/search-query.rules.ts";
import { hasWords } from "./search/search-words.rules.ts";
import { ClearFiltersLink } from "./search-summary.tsx";

export function EmptyList({
  category: { path, noun, name },
  query,
  count,
  corrected,
  models,
  nearest,
  isOtherGood,
  saveSearchPath,
}: {
  category: Category;
  query: SearchQuery;
  count: number;
  corrected: string | null;
  models: ClosestModel[];
  nearest: Nearest | null;
  isOtherGood: boolean;
  saveSearchPath: string;
}) {
  if (count > 0 || query.cursor) return <EmptyPage firstPage={path + searchString(withoutCursor(query))} />;
  const filters = appliedFilters(query, corrected).map(({ label }) => label);
  const missedLabels = (nearest: Nearest) => {
    const kept = appliedFilters(nearest.query).map(({ label }) => label);
    const keptWords = nearest.query.words.split(" ");
    // What is left out of the words: `"obsidian"` of `"pixel 8 obsidian"`.
    const rest = (label: string) => {
      const words = label.slice(1, -1).split(" ");
      const left = words.filter((word) => !keptWords.includes(word)).join(" ");
      return left ? `"${left}"` : label;
    };
    const missed = filters
      .filter((label) => !kept.includes(label))
      .map((label) => (label.startsWith('"') ? rest(label) : label));
    return nearest.category.path === path ? missed : [name, ...missed];
  };
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
          {isPriceRangeInverted(query) && (
            <Link
              to={
                path +
                searchString({ ...withoutCursor(query), fromCents: query.toCents, toCents: query.fromCents })
              }
              className="btn btn-primary"
            >
              Swap
            </Link>
          )}
          {isOtherGood ? (
            <Link to="/products" className="btn btn-primary">
              See phones and tablets
            </Link>
          ) : (
            <>
              {!isPriceRangeInverted(query) && (
                <Link to={saveSearchPath} rel="nofollow" className="btn btn-primary">
                  Notify me
                </Link>
              )}
              {path !== "/products" && (
                <Link to={`/products${searchString(withoutCursor(query))}`} className="btn btn-outline">
                  Search all products
                </Link>
              )}
              <ClearFiltersLink path={path} query={query} className="btn btn-outline" />
            </>
          )}
        </EmptyState>
        {nearest && <NearestMatches nearest={nearest} missed={missedLabels(nearest)} />}
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

interface Nearest {
  category: Category;
  query: SearchQuery;
  phones: ListingTileData[];
}

/** @param missed the filters that they don't match */
function NearestMatches({
  nearest: { category, query, phones },
  missed,
}: {
  nearest: Nearest;
  missed: string[];
}) {
  return (
    <section aria-labelledby="nearest-matches" className="mt-8">
      <h2 id="nearest-matches" className="text-2xl font-semibold">
        Closest matches
      </h2>
      <p className="mt-1 mb-4 wrap-anywhere">
        {`We left out ${new Intl.ListFormat(market.locale).format(missed)}. `}
        <Link to={category.path + searchString(query)} className="link underline-offset-4">
          See all of these
        </Link>
      </p>
      <ul className={tileGrid}>
        {phones.map((phone) => (
          <ListingTile key={phone.id} phone={phone} heading="h3" />
        ))}
      </ul>
    </section>
  );
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
