import { Fragment, useRef } from "react";
import { useAutoSubmit } from "#app/ui/auto-submit.ts";
import { closeDrawer } from "#app/ui/drawer.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";
import { type DeviceNoun, foundLabel } from "../listings/device-count.rules.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import { FacetFields } from "./facet-fields.tsx";
import { FilterDrawer, FiltersButton } from "./filter-drawer.tsx";
import { PriceRange } from "./price-range.tsx";
import { facets } from "./search/facets.rules.ts";
import type { SearchPage } from "./search/search.server.ts";
import {
  firstPage,
  parseSearchQuery,
  type SearchOrder,
  type SearchQuery,
  searchString,
} from "./search/search-query.rules.ts";
import { searchFormId } from "./search-field.tsx";

const orders: Record<SearchOrder, string> = {
  newest: "Newest",
  "price-up": "Price: low to high",
  "price-down": "Price: high to low",
  saving: "Biggest saving",
};

export function SearchForm({
  path,
  noun,
  query,
  page: { count, choices },
}: {
  path: string;
  noun: DeviceNoun;
  query: SearchQuery;
  page: Pick<SearchPage, "count" | "choices">;
}) {
  const hydrated = useHydrated();
  const drawer = useRef<HTMLDivElement>(null);
  const form = useAutoSubmit(path, searchString(firstPage(query)), searchOfForm, () => {
    if (closeDrawer(drawer.current)) window.scrollTo({ top: 0 });
  });
  const inDrawer = appliedFilters({ ...query, words: "" }).length;
  return (
    // Autocomplete is off: the values come from the URL.
    <form id={searchFormId} ref={form} method="get" action={path} autoComplete="off" className="contents">
      {query.exact && <input type="hidden" name="exact" value="yes" />}
      <div className="mb-3 flex flex-wrap items-end gap-3 sm:mb-6 lg:col-start-2">
        <FiltersButton applied={inDrawer} />
        <div className="min-w-0 flex-1 md:w-52 md:flex-none">
          <label htmlFor="sort" className="mb-1 block text-sm font-medium max-sm:sr-only">
            Sort
          </label>
          <select id="sort" name="sort" defaultValue={query.order} className="select w-full">
            {Object.entries(orders).map(([order, label]) => (
              <option key={order} value={order}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <noscript>
          <button type="submit" className="btn btn-outline">
            Apply
          </button>
        </noscript>
      </div>
      <FilterDrawer
        drawer={drawer}
        footer={
          <div
            className={`sticky bottom-0 border-t border-base-300 bg-base-100 p-4 lg:static lg:border-0 lg:px-0 ${
              hydrated ? "lg:hidden" : ""
            }`}
          >
            <button type="submit" className="btn w-full btn-primary tabular-nums">
              {/* Without JavaScript, nothing counts what is chosen. */}
              Show {hydrated ? foundLabel(count, noun) : `${noun}s`}
            </button>
          </div>
        }
      >
        {facets.map((facet) => (
          <Fragment key={facet.name}>
            <FacetFields
              facet={facet}
              noun={noun}
              choices={choices[facet.name]}
              chosen={query.filters[facet.name]}
            />
            {facet.name === "brand" && <PriceRange query={query} />}
          </Fragment>
        ))}
      </FilterDrawer>
    </form>
  );
}

/** @param shown query string of the page; `exact` only applies to its words */
function searchOfForm(values: URLSearchParams, shown: string): string {
  const query = parseSearchQuery(values);
  const { words } = parseSearchQuery(new URLSearchParams(shown));
  return searchString({ ...query, exact: query.exact && query.words === words });
}
