import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from "@remix-run/react";
import { browseShelf } from "#app/features/phones/browse.server.ts";
import { cardContent } from "#app/features/phones/phone-card.rules.ts";
import { PhoneCard } from "#app/features/phones/phone-card.tsx";
import { shelfAt } from "#app/features/phones/shelf.rules.ts";
import { isFiltered, shelfQuery, shelfSearch } from "#app/features/phones/shelf-query.rules.ts";
import { withOutagePage } from "#app/platform/outage.server.ts";
import { errorTitle, pageTitle } from "#app/platform/page-title.ts";
import { EmptyShelf } from "./empty-shelf.tsx";
import { Found } from "./found.tsx";
import { ShelfForm } from "./shelf-form.tsx";
import { ShelfPager } from "./shelf-pager.tsx";

export const meta: MetaFunction = ({ location, error }) => {
  const failed = errorTitle(error);
  if (failed) return pageTitle(failed);
  const { name } = shelfAt(location.pathname);
  return pageTitle(name, `Used phones and tablets from their owners: ${name}.`);
};

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const url = new URL(request.url);
  const shelf = shelfAt(url.pathname);
  const query = shelfQuery(url.searchParams);
  const page = await browseShelf(context.db, shelf, query);
  return {
    path: shelf.path,
    heading: shelf.heading,
    query,
    ...page,
    phones: page.phones.map(cardContent),
  };
});

/** Opening and closing a dialog keeps the list. A post reloads it, also a refused one: the phone may have been booked. */
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
    shelfAt(pathname).path + shelfSearch(shelfQuery(searchParams));
  const moved = currentUrl.pathname !== nextUrl.pathname;
  return moved && list(currentUrl) === list(nextUrl) ? false : defaultShouldRevalidate;
}

export default function ShelfList() {
  const { path, heading, query, phones, previous, next, count, choices } = useLoaderData<typeof loader>();
  const search = shelfSearch(query);
  const bare = count === 0 && !isFiltered(query);
  return (
    <div className="page-width py-8 sm:py-12">
      <h1 className="mb-6 text-3xl font-semibold sm:mb-8 sm:text-4xl">{heading}</h1>
      <div
        className={
          bare ? "" : "lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-8"
        }
      >
        {!bare && (
          <search className="contents">
            <ShelfForm key={path} path={path} query={query} page={{ count, choices }} />
          </search>
        )}
        <div className="lg:col-start-2">
          {!bare && <Found path={path} query={query} count={count} />}
          {phones.length === 0 ? (
            <EmptyShelf path={path} query={query} count={count} />
          ) : (
            <ul className="phone-list">
              {phones.map((phone, index) => (
                <li key={phone.id}>
                  <PhoneCard phone={phone} basePath={path} search={search} index={index} />
                </li>
              ))}
            </ul>
          )}
          <ShelfPager path={path} query={query} previous={previous} next={next} shown={phones.length} />
        </div>
      </div>
      <Outlet />
    </div>
  );
}

export { RouteError as ErrorBoundary } from "../site/error-pages.tsx";
