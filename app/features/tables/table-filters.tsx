import { useLocation } from "@remix-run/react";
import { useRef } from "react";
import { market } from "#app/market.ts";
import { maxPriceLength } from "#app/server/forms/parse-price.ts";
import {
  parseTableQuery,
  type TableDefinition,
  type TableFilter,
  tableSearch,
  unparsedFilterText,
} from "#app/server/forms/table-query.ts";
import { closeDrawer, Drawer, FiltersButton, filtersId } from "#app/ui/drawer.tsx";
import { useFilterForm } from "#app/ui/filter-form.ts";
import { SearchIcon } from "#app/ui/icons.tsx";

/** The filters and the sort order of a table, as its URL describes them. */
export interface TableState {
  table: TableDefinition;
  query: { filters: Partial<Record<string, string>>; sort?: string };
}

/** The form above a table. On a narrow screen all but the words are in a drawer. */
export function TableFilters({ table, query }: TableState) {
  const { pathname } = useLocation();
  const drawer = useRef<HTMLDivElement>(null);
  const search = tableSearch(table, query);
  const toSearch = (values: URLSearchParams) => tableSearch(table, parseTableQuery(table, values));
  const form = useFilterForm(pathname, search, toSearch, () => closeDrawer(drawer.current));
  const words = table.filters.find(({ kind }, index) => kind === "words" && index === 0);
  const tabs = table.filters.filter(({ isTab }) => isTab);
  const others = table.filters.filter((filter) => filter !== words && !filter.isTab);
  const hasMore = others.length > 0 || Object.keys(table.sorts).length > 1;
  const applied = others.filter(({ name }) => query.filters[name]).length;
  return (
    // Autocomplete is off: the values come from the URL.
    <form
      {...form}
      method="get"
      action={pathname}
      autoComplete="off"
      aria-label="Filters"
      className="mb-6 flex flex-wrap items-end gap-3"
    >
      {tabs.map(({ name }) => (
        <input key={name} type="hidden" name={name} value={query.filters[name] ?? ""} />
      ))}
      {words && (
        <div className="min-w-0 flex-1 basis-64 lg:max-w-80">
          <FilterLabel filter={words} />
          <div className="flex">
            <input
              id={fieldId(words)}
              name={words.name}
              type="search"
              defaultValue={query.filters[words.name]}
              maxLength={100}
              enterKeyHint="search"
              className="input w-full min-w-0 rounded-r-none"
            />
            <button type="submit" className="btn btn-square -ml-px rounded-l-none btn-outline">
              <SearchIcon />
              <span className="sr-only">Search</span>
            </button>
          </div>
        </div>
      )}
      {hasMore && (
        <>
          <FiltersButton applied={applied} />
          <Drawer
            id={filtersId}
            drawer={drawer}
            title="Filters"
            className="right-0 left-auto w-88 border-l"
            headerClassName="lg:hidden"
          >
            <div className="grid gap-4 p-5 lg:flex lg:flex-wrap lg:items-end lg:gap-3 lg:p-0">
              {others.map((filter) => (
                <div key={filter.name} className="min-w-0 lg:max-w-44">
                  <FilterLabel filter={filter} />
                  <FilterField filter={filter} value={query.filters[filter.name]} />
                </div>
              ))}
              <div className="min-w-0 lg:max-w-48">
                <label htmlFor="filter-sort" className="mb-1 block text-sm font-medium">
                  Sort
                </label>
                <select id="filter-sort" name="sort" defaultValue={query.sort} className="select w-full">
                  {Object.entries(table.sorts).map(([sort, label]) => (
                    <option key={sort} value={sort}>
                      {label}
                    </option>
                  ))}
                </select>
              </div>
              <button type="submit" className="btn btn-primary lg:hidden lg:noscript:inline-flex">
                Apply
              </button>
            </div>
          </Drawer>
        </>
      )}
    </form>
  );
}

const fieldId = ({ name }: TableFilter) => `filter-${name}`;

function FilterLabel({ filter }: { filter: TableFilter }) {
  return (
    <label htmlFor={fieldId(filter)} className="mb-1 block text-sm font-medium">
      {filter.label}
    </label>
  );
}

function FilterField({ filter, value = "" }: { filter: TableFilter; value: string | undefined }) {
  const field = { id: fieldId(filter), name: filter.name, defaultValue: value };
  if (filter.kind === "choice") {
    return (
      <select {...field} className="select w-full">
        <option value="">{filter.any ?? "Any"}</option>
        {Object.entries(filter.choices).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (filter.kind === "date") return <input {...field} type="date" className="input w-full" />;
  if (filter.kind === "words") return <input {...field} maxLength={100} className="input w-full" />;
  const error = unparsedFilterText(filter, value);
  const errorId = `${field.id}-error`;
  return (
    <>
      <div className={`input w-full gap-1 lg:w-28 ${error ? "input-error" : ""}`}>
        <span aria-hidden="true" className="text-quiet">
          {market.currencySign}
        </span>
        <input
          {...field}
          inputMode="decimal"
          maxLength={maxPriceLength}
          className="min-w-0 tabular-nums"
          {...(error && { "aria-invalid": true, "aria-describedby": errorId })}
        />
      </div>
      {error && (
        <p id={errorId} className="mt-2 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </>
  );
}
