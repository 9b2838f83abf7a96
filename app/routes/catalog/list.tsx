import {
  type HeadersFunction,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData, useLocation } from "@remix-run/react";
import { categoryByKey, categoryByPath } from "#app/features/catalog/category.rules.ts";
import { CompareBar } from "#app/features/catalog/compare-bar.tsx";
import { EmptyList } from "#app/features/catalog/empty-list.tsx";
import { ListPager } from "#app/features/catalog/list-pager.tsx";
import { ListingCard } from "#app/features/catalog/listing-card.tsx";
import { searchWithCorrection } from "#app/features/catalog/search/search.server.ts";
import {
  defaultSort,
  isFiltered,
  normalizedSearch,
  parseSearchQuery,
  type SearchQuery,
  searchString,
} from "#app/features/catalog/search/search-query.rules.ts";
import { hasWords } from "#app/features/catalog/search/search-words.rules.ts";
import { SearchForm } from "#app/features/catalog/search-form.tsx";
import { searchNoteTexts } from "#app/features/catalog/search-notes.rules.ts";
import { SearchSummary } from "#app/features/catalog/search-summary.tsx";
import { cardContent } from "#app/features/listings/listings.server.ts";
import { PendingBooking } from "#app/features/orders/pending-booking.tsx";
import { hasProvider } from "#app/features/payments/provider.ts";
import { SaveForm } from "#app/features/saved-listings/save-form.tsx";
import { saveSearchPath } from "#app/features/saved-searches/saved-search.rules.ts";
import { countEmptySearch } from "#app/features/statistics/empty-searches.server.ts";
import { useFrame } from "#app/frame/frame.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { canonicalList } from "./canonical-pages.rules.ts";

export const meta: MetaFunction = ({ location, error }) => {
  const failed = errorTitle(error);
  if (failed) return pageTitle(failed);
  const { name, summary } = categoryByPath(location.pathname);
  return pageTitle(resultsLabel(location.search) ?? name, summary);
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const handle: RouteHandle = {
  access: "anyone",
  cached: { search: normalizedSearch },
  canonical: ({ pathname, search, data }) =>
    data ? canonicalList(categoryByPath(pathname), parseSearchQuery(search)) : null,
  searchWords: (data) => {
    const list = data as Loaded | undefined;
    return list && !isEmptyCategory(list) ? list.typed : null;
  },
};

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const url = new URL(request.url);
  const category = categoryByPath(url.pathname);
  const asked = parseSearchQuery(url.searchParams);
  const page = await searchWithCorrection(context.db, category, asked);
  // Filters may be what finds nothing.
  const isMissed = page.count === 0 && isWordsAlone(asked);
  if (isMissed) context.inBackground(() => countEmptySearch(context.db, asked.words));
  const isProtected = hasProvider(context.environment);
  const data = {
    heading: category.heading,
    typed: asked.words,
    ...page,
    category: page.category.key,
    notes: searchNoteTexts(page.notes),
    pages: page.notes.pages.map(({ path, label, takesDevice }) => ({
      path:
        takesDevice && page.query.words ? `${path}?${new URLSearchParams({ q: page.query.words })}` : path,
      label,
    })),
    choices: isProtected ? page.choices : { ...page.choices, returns: [] },
    phones: page.phones.map((phone) =>
      cardContent(isProtected ? phone : { ...phone, returnDays: null }, page.query.filters.near ?? []),
    ),
    nearest: page.nearest && {
      ...page.nearest,
      category: page.nearest.category.key,
    },
  };
  // The edge cache would answer the next such search uncounted.
  return json(data, isMissed ? { headers: { "Cache-Control": "private, no-cache" } } : {});
});

function isWordsAlone(query: SearchQuery): boolean {
  return hasWords(query.words) && !query.cursor && !isFiltered({ ...query, words: "" });
}

/** What a list with words is called, as they were typed; null without words. */
function resultsLabel(search: string): string | null {
  const { words } = parseSearchQuery(new URLSearchParams(search));
  return hasWords(words) ? `Results for "${words}"` : null;
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

function isEmptyCategory({ count, query }: Loaded): boolean {
  return count === 0 && !isFiltered(query);
}

/**
 * Opening or closing a dialog keeps the list. A post reloads it, also a refused one: the phone may have been booked.
 */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  actionStatus = 200,
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if (formMethod) return actionStatus < 500 && !(actionResult instanceof Error);
  const list = ({ pathname, searchParams }: URL) =>
    categoryByPath(pathname).path + searchString(parseSearchQuery(searchParams));
  const moved = currentUrl.pathname !== nextUrl.pathname;
  return moved && list(currentUrl) === list(nextUrl) ? false : defaultShouldRevalidate;
}

export default function ProductList() {
  const data = useLoaderData<typeof loader>();
  const {
    heading,
    typed,
    query,
    phones,
    start,
    previous,
    next,
    corrected,
    notes,
    pages,
    closestModels,
    nearest,
    isOtherGood,
    ...counts
  } = data;
  const category = categoryByKey(data.category);
  const { path, noun } = category;
  const location = useLocation();
  // Dialogs keep the address of the list, as it was typed.
  const typedPath = categoryByPath(location.pathname).path;
  const search = searchString(parseSearchQuery(new URLSearchParams(location.search)));
  const isEmpty = isEmptyCategory(data);
  // The field keeps what was typed, also what the filters hold.
  const shown = query.words === typed ? query : { ...query, words: typed, read: typed };
  // Words typed on have their own default.
  const isDefault = query.sort === defaultSort(query.words);
  const inForm = isDefault ? { ...shown, sort: defaultSort(typed) } : shown;
  // What is prefetched is shown for some seconds, in which people who are signed in may save or book the device.
  const { signedIn } = useFrame();
  const prefetch = signedIn ? "none" : "intent";
  const saveSearch = saveSearchPath(category, { ...query, words: corrected ?? query.words });
  return (
    <SaveForm
      phoneIds={phones.map(({ id }) => id)}
      search={isFiltered(query) ? saveSearch.slice(saveSearch.indexOf("?") + 1) : ""}
    >
      <div className="page-width pt-2 pb-4">
        <h1 className="mb-2 text-2xl font-semibold wrap-anywhere sm:mt-4 sm:text-3xl lg:mb-5">
          {resultsLabel(location.search) ?? heading}
        </h1>
        <div
          className={
            isEmpty
              ? ""
              : "lg:grid lg:grid-cols-[14rem_minmax(0,1fr)_auto] lg:grid-rows-[auto_1fr] lg:gap-x-8"
          }
        >
          {!isEmpty && (
            <search aria-label="Filters" className="contents">
              <SearchForm key={path} path={path} noun={noun} query={inForm} page={counts} />
            </search>
          )}
          {!isEmpty && (
            <SearchSummary
              category={category}
              typedPath={typedPath}
              query={query}
              count={counts.count}
              corrected={corrected}
              notes={notes}
              pages={pages}
              saveSearchPath={saveSearch}
            />
          )}
          <div className="lg:col-span-2 lg:col-start-2 lg:row-start-2">
            {phones.length === 0 ? (
              <EmptyList
                category={category}
                query={query}
                count={counts.count}
                corrected={corrected}
                models={closestModels}
                nearest={nearest && { ...nearest, category: categoryByKey(nearest.category) }}
                isOtherGood={isOtherGood}
                saveSearchPath={saveSearch}
              />
            ) : (
              <ul className="phone-list">
                {phones.map((phone, index) => (
                  <li key={phone.id}>
                    <ListingCard
                      phone={phone}
                      basePath={typedPath}
                      search={search}
                      index={index}
                      prefetch={prefetch}
                    />
                  </li>
                ))}
              </ul>
            )}
            {phones.length > 0 && <CompareBar />}
            <ListPager
              path={path}
              query={shown}
              start={start}
              previous={previous}
              next={next}
              shown={phones.length}
            />
          </div>
        </div>
        {signedIn && <PendingBooking devices={phones} closeTo={typedPath + search} />}
        <Outlet />
      </div>
    </SaveForm>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
