import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { findTiles } from "#app/features/catalog/seen.server.ts";
import { SearchTerms } from "#app/features/saved-searches/saved-search-list.tsx";
import { SavedSearchMatches } from "#app/features/saved-searches/saved-search-matches.tsx";
import { findSavedSearch, markMatchesSeen } from "#app/features/saved-searches/saved-searches.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { isPrefetch } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(data ? data.search.name : (errorTitle(error) ?? "Search"));

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const search = await findSavedSearch(context.db, viewer, params.searchId ?? "");
  if (!search) throw notFound();
  const [matches] = await Promise.all([
    findTiles(context.db, search.matchedIds),
    markPageNotificationsAsRead(context, request, viewer),
    isPrefetch(request) ||
      search.newMatchCount === 0 ||
      markMatchesSeen(context.db, viewer, search.id, search.newMatchCount),
  ]);
  return { search, matches };
});

export default function SavedSearchPage() {
  const { search, matches } = useLoaderData<typeof loader>();
  return (
    <>
      <BackLink to="/manage/searches">Searches</BackLink>
      <h1 className="mb-4 text-3xl font-semibold wrap-anywhere">{search.name}</h1>
      <SearchTerms category={search.category} query={search.query} />
      <p className="mt-6 mb-8 flex flex-wrap gap-3">
        <Link to={search.path} className="btn btn-primary">
          View all results
        </Link>
        <Link to={`/manage/searches/${search.id}/edit`} className="btn btn-outline">
          Edit
        </Link>
      </p>
      <SavedSearchMatches search={search} matches={matches} />
    </>
  );
}

export { MissingSearch as ErrorBoundary } from "./missing-search.tsx";
