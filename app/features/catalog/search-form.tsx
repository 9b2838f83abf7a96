import { Fragment, type ReactNode, useRef, useState } from "react";
import { countLabel, market } from "#app/market.ts";
import { maxPriceLength } from "#app/server/forms/parse-price.ts";
import { closeDrawer, Drawer, FiltersButton, filtersId } from "#app/ui/drawer.tsx";
import { useFilterForm } from "#app/ui/filter-form.ts";
import { useHydrated } from "#app/ui/hydrated.ts";
import { AlertIcon, ChevronDownIcon } from "#app/ui/icons.tsx";
import { attributes } from "../listings/attributes.ts";
import { toAmount } from "../listings/money.rules.ts";
import { appliedFilters } from "./applied-filters.rules.ts";
import { type DeviceNoun, devicesLabel, foundLabel } from "./category.rules.ts";
import { type Facet, type FacetChoice, facets, takesOne } from "./search/facets.rules.ts";
import type { SearchResultPage } from "./search/search.server.ts";
import { maxValueLength } from "./search/search-limits.rules.ts";
import {
  defaultSort,
  invertedPriceRangeMessage,
  isPriceRangeInverted,
  parseSearchQuery,
  type SearchQuery,
  type SearchSort,
  searchSorts,
  searchString,
  sortsFor,
  unreadParameters,
  withoutCursor,
} from "./search/search-query.rules.ts";
import { searchFormId } from "./search-field.tsx";

export function SearchForm({
  path,
  noun,
  query,
  page: { count, choices },
}: {
  path: string;
  noun: DeviceNoun;
  query: SearchQuery;
  page: Pick<SearchResultPage, "count" | "choices">;
}) {
  const hydrated = useHydrated();
  const drawer = useRef<HTMLDivElement>(null);
  const close = () => closeDrawer(drawer.current);
  // Of what could not be read, the form has fields for prices and city alone.
  const { from, to, near } = query.unread ?? {};
  const search = searchString({ ...withoutCursor(query), unread: { from, to, near } });
  const form = useFilterForm(path, search, searchOfForm, close);
  // The default is not sent, since it changes with the words.
  const sortValue = (sort: SearchSort) => (sort === defaultSort(query.words) ? "" : sort);
  const inDrawer = appliedFilters({ ...query, words: "" }).length;
  return (
    // Autocomplete is off: the values come from the URL.
    <form id={searchFormId} {...form} method="get" action={path} autoComplete="off" className="contents">
      {query.read && <input type="hidden" name="read" value={query.read} />}
      {query.exact && <input type="hidden" name="exact" value="yes" />}
      <div className="mb-2 flex flex-wrap items-start gap-3 lg:col-start-3 lg:mb-3 lg:row-start-1">
        <FiltersButton applied={inDrawer} />
        <div className="max-md:flex-[3_1_10rem] md:w-52">
          <label htmlFor="sort" className="sr-only">
            Sort
          </label>
          <select id="sort" name="sort" defaultValue={sortValue(query.sort)} className="select w-full">
            {sortsFor(query.words).map((sort) => (
              <option key={sort} value={sortValue(sort)}>
                {searchSorts[sort]}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="btn hidden btn-primary noscript:inline-flex max-sm:w-full">
          Apply
        </button>
      </div>
      <Drawer
        id={filtersId}
        drawer={drawer}
        title="Filters"
        // On a wide screen beside the list, with a scroll position of its own: choosing shows the top of the list.
        className="right-0 left-auto w-88 border-l lg:sticky lg:top-20 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:-ml-2 lg:max-h-[calc(100dvh-9rem)] lg:overflow-y-auto lg:pl-2"
        headerClassName="lg:static lg:mb-4 lg:border-0 lg:p-0"
      >
        <div className="grid gap-6 p-5 lg:p-0">
          {facets
            .filter(({ name }) => name !== "phones" || path === "/products")
            .map((facet) => (
              <Fragment key={facet.name}>
                {facet.spelled ? (
                  <TypedFacet facet={facet} query={query} />
                ) : (
                  <FacetFields
                    facet={facet}
                    noun={noun}
                    choices={choices[facet.name]}
                    chosen={query.filters[facet.name]}
                  />
                )}
                {facet.name === "brand" && <PriceRange query={query} />}
              </Fragment>
            ))}
        </div>
        <div className="sticky bottom-0 border-t border-base-300 bg-base-100 p-4 lg:static lg:hidden lg:border-0 lg:px-0 lg:noscript:block">
          <button type="submit" className="btn w-full btn-primary tabular-nums">
            {/* Without JavaScript, nothing counts what is chosen. */}
            Show {hydrated ? foundLabel(count, noun) : `${noun}s`}
          </button>
        </div>
      </Drawer>
    </form>
  );
}

/** @param shown query string of the page; `exact` only applies to its words */
function searchOfForm(values: URLSearchParams, shown: string): string {
  const query = withoutCursor(parseSearchQuery(values));
  const { words } = parseSearchQuery(new URLSearchParams(shown));
  return searchString({ ...query, exact: query.exact && query.words === words });
}

const visibleChoices = 8;

interface Fields {
  facet: Facet;
  noun: DeviceNoun;
  choices: FacetChoice[];
  chosen: string[];
}

function TypedFacet({
  facet: { name, legend },
  query: { filters, unread = {} },
}: {
  facet: Facet;
  query: SearchQuery;
}) {
  const wrong = unread[name];
  const { placeholder } = attributes.city;
  return (
    <div>
      <label htmlFor={name} className="mb-1 block font-semibold">
        {legend}
      </label>
      <input
        id={name}
        name={name}
        defaultValue={wrong ?? filters[name][0]}
        placeholder={placeholder}
        maxLength={maxValueLength}
        className={`input w-full ${wrong ? "input-error" : ""}`}
        {...(wrong && { "aria-invalid": true, "aria-describedby": `${name}-error` })}
      />
      {wrong && (
        <FilterError id={`${name}-error`}>We don’t know “{wrong}”. Try a larger city nearby.</FilterError>
      )}
    </div>
  );
}

function FilterError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-2 flex gap-1.5 text-sm font-medium text-error">
      <AlertIcon className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

function FacetFields({ facet, noun, choices, chosen }: Fields) {
  if (choices.length === 0) return null;
  const isSingle = takesOne(facet);
  const option = ([value, count]: FacetChoice) => (
    <FilterOption
      key={value}
      name={facet.name}
      type={isSingle ? "radio" : "checkbox"}
      value={value}
      label={facet.label?.(value) ?? (facet.compares === "one of" ? value : facet.chip(value))}
      count={count}
      noun={noun}
      checked={chosen.includes(value)}
    />
  );
  const rest = choices.slice(visibleChoices);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">{facet.legend}</legend>
      {isSingle && (
        <FilterOption
          name={facet.name}
          type="radio"
          value=""
          label="Any"
          noun={noun}
          checked={chosen.length === 0}
        />
      )}
      {choices.slice(0, visibleChoices).map(option)}
      {rest.length > 0 && (
        <MoreOptions count={choices.length} open={rest.some(([value]) => chosen.includes(value))}>
          {rest.map(option)}
        </MoreOptions>
      )}
    </fieldset>
  );
}

function MoreOptions({ count, open, children }: { count: number; open: boolean; children: ReactNode }) {
  const [initiallyOpen] = useState(open);
  return (
    <details className="group" open={initiallyOpen}>
      <summary className="flex min-h-9 items-center gap-2 text-sm font-medium text-primary">
        <ChevronDownIcon className="size-5 group-open:rotate-180" />
        {`Show all ${count}`}
      </summary>
      {children}
    </details>
  );
}

function FilterOption({
  name,
  type,
  value,
  label,
  count = null,
  noun,
  checked,
}: {
  name: string;
  type: "checkbox" | "radio";
  value: string;
  label: string;
  count?: number | null;
  noun: DeviceNoun;
  checked: boolean;
}) {
  const counted = count === null ? "" : `, ${devicesLabel(count, noun)}`;
  // The stylesheet shows the count: a list has up to a hundred options, and an element each for it would be too many.
  const shownCount = count === null ? undefined : countLabel(count);
  return (
    <label className="filter-option" data-count={shownCount}>
      <input type={type} name={name} value={value} defaultChecked={checked} aria-label={label + counted} />
      {label}
    </label>
  );
}

function PriceRange({ query }: { query: SearchQuery }) {
  const unread = unreadParameters(query).filter(({ name }) => name === "from" || name === "to");
  const isInverted = isPriceRangeInverted(query);
  const errors = isInverted ? [invertedPriceRangeMessage] : unread.map(({ text }) => text);
  const ends = [
    { name: "from", label: "From", cents: query.fromCents },
    { name: "to", label: "To", cents: query.toCents },
  ] as const;
  const isWrong = (end: string) => isInverted || unread.some(({ name }) => name === end);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">Price</legend>
      <div className="grid grid-cols-2 gap-3">
        {ends.map(({ name, label, cents }) => (
          <div key={name} className="min-w-0">
            <label htmlFor={`price-${name}`} className="mb-1 block text-sm text-quiet">
              {label}
            </label>
            <div className={`input w-full gap-1 ${isWrong(name) ? "input-error" : ""}`}>
              <span aria-hidden="true" className="text-quiet">
                {market.currencySign}
              </span>
              <input
                id={`price-${name}`}
                name={name}
                inputMode="decimal"
                maxLength={maxPriceLength}
                defaultValue={cents === null ? query.unread?.[name] : toAmount(cents)}
                className="min-w-0 tabular-nums"
                {...(isWrong(name) && { "aria-invalid": true, "aria-describedby": "price-error" })}
              />
            </div>
          </div>
        ))}
      </div>
      {errors.length > 0 && <FilterError id="price-error">{errors.join(". ")}</FilterError>}
    </fieldset>
  );
}
