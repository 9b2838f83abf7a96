import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from "@remix-run/react";
import { phonesInMarkup } from "#app/features/phones/card-phone.ts";
import { pageMark } from "#app/features/phones/page-mark.rules.ts";
import { PhoneCard } from "#app/features/phones/phone-card.tsx";
import { listPhones } from "#app/features/phones/phones.server.ts";
import { shelfAt } from "#app/features/phones/shelf.rules.ts";
import type { DataInMarkup } from "#app/platform/page-data.ts";
import { pageTitle } from "#app/platform/page-title.ts";
import { ArrowLeftIcon, ArrowRightIcon } from "#app/ui/icons.tsx";
import { EmptyShelf } from "./empty-shelf.tsx";

export const meta: MetaFunction = ({ location }) => {
  const { name } = shelfAt(location.pathname);
  return pageTitle(name, `Used phones and tablets from their owners: ${name}.`);
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  // Public.
  const url = new URL(request.url);
  const shelf = shelfAt(url.pathname);
  const mark = pageMark(url.searchParams);
  return {
    shelf,
    search: url.search,
    firstPage: mark === null,
    ...(await listPhones(context.db, shelf, mark)),
  };
}

type ShelfData = Awaited<ReturnType<typeof loader>>;

/** The cards show all there is to know of the phones. */
export const handle: DataInMarkup<ShelfData, Omit<ShelfData, "phones">> = {
  inMarkup: {
    leaveOut: ({ phones, ...rest }) => rest,
    readBack: (rest) => ({ ...rest, phones: phonesInMarkup() }),
  },
};

/** Opening and closing a dialog leaves the list as it is; posts and other pages of the list fetch it anew. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const sameList =
    shelfAt(currentUrl.pathname).path === shelfAt(nextUrl.pathname).path &&
    currentUrl.search === nextUrl.search;
  if (formMethod) return true;
  const moved = currentUrl.pathname !== nextUrl.pathname;
  return sameList && moved ? false : defaultShouldRevalidate;
}

export default function ShelfList() {
  const { shelf, search, firstPage, phones, previous, next } = useLoaderData<typeof loader>();
  return (
    <div className="page-width py-8 sm:py-12">
      <h1 className="mb-6 text-3xl font-semibold sm:mb-8 sm:text-4xl">{shelf.heading}</h1>
      {phones.length === 0 ? (
        <EmptyShelf shelf={shelf} firstPage={firstPage} />
      ) : (
        <ul className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-2">
          {phones.map((phone, index) => (
            <PhoneCard key={phone.id} phone={phone} basePath={shelf.path} search={search} place={index} />
          ))}
        </ul>
      )}
      {(previous || next) && (
        <nav aria-label="Pages" className="mt-8 flex justify-between gap-4">
          {previous ? (
            <Link rel="prev" to={`${shelf.path}?before=${previous}`} className="btn btn-outline">
              <ArrowLeftIcon /> Previous
            </Link>
          ) : (
            <span />
          )}
          {next && (
            <Link rel="next" to={`${shelf.path}?after=${next}`} className="btn btn-outline">
              Next <ArrowRightIcon />
            </Link>
          )}
        </nav>
      )}
      <Outlet />
    </div>
  );
}
