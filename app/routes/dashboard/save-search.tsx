import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser } from "#app/auth/guard.server.ts";
import { isFiltered, searchString } from "#app/features/catalog/search/search-query.rules.ts";
import { savedSearchAnchor } from "#app/features/saved-listings/saved-states.ts";
import {
  maxSavedSearches,
  nothingToSave,
  searchLimitReached,
  suggestedName,
} from "#app/features/saved-searches/saved-search.rules.ts";
import { searchSettingsSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import { SavedSearchForm } from "#app/features/saved-searches/saved-search-form.tsx";
import { SearchTerms } from "#app/features/saved-searches/saved-search-list.tsx";
import {
  listSavedSearches,
  readSearchToSave,
  saveSearch,
} from "#app/features/saved-searches/saved-searches.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/paths.ts";
import { BackLink } from "#app/ui/back-link.tsx";

export const meta: MetaFunction = () => pageTitle("Save this search");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const { category, query } = await readSearchToSave(context.db, new URL(request.url).searchParams);
  const list = category.path + searchString(query);
  const searches = await listSavedSearches(context.db, viewer);
  const same = searches.find(({ path }) => path === list);
  const settings = {
    name: same?.name ?? suggestedName(category, query),
    frequency: same?.frequency ?? "daily",
  } as const;
  const isLimitReached = !same && searches.length >= maxSavedSearches;
  return { account: viewer.email, category, query, list, settings, isSaved: !!same, isLimitReached };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const submission = parseForm(form, searchSettingsSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal({ context, request, viewer, form }, "change searches");
  if (refusal) return invalidForm(submission, refusal);
  const search = await readSearchToSave(context.db, new URL(request.url).searchParams);
  const outcome = await saveSearch(context.db, viewer, submission.value, search);
  if (typeof outcome === "string") {
    return invalidForm(submission, { status: 409, formErrors: [refusals[outcome]] });
  }
  const list = `${search.category.path}${searchString(search.query)}#${savedSearchAnchor}`;
  return redirectWithToast(context, safeRedirect(form.get("redirectTo"), list), {
    kind: "success",
    message: "Search saved",
    link: { to: "/manage/searches", label: "See your searches" },
  });
});

const refusals = { "nothing to save": nothingToSave, "limit reached": searchLimitReached };

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function SaveSearch() {
  const { account, category, query, list, settings, isSaved, isLimitReached } =
    useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const refusal = !isFiltered(query) ? nothingToSave : isLimitReached ? searchLimitReached : null;
  return (
    <>
      <BackLink to={list}>Back to the list</BackLink>
      <h1 className="mb-4 text-3xl font-semibold">Save this search</h1>
      <div className="mb-6">
        <SearchTerms category={category} query={query} />
      </div>
      {refusal ? (
        <>
          <p role="alert" className="mb-6">
            {refusal}
          </p>
          {isLimitReached && (
            <Link to="/manage/searches" className="btn btn-outline">
              View your searches
            </Link>
          )}
        </>
      ) : (
        <>
          {isSaved && <p className="mb-6">You already saved this search. You can change it here.</p>}
          <SavedSearchForm
            account={account}
            settings={settings}
            button={isSaved ? "Save changes" : "Save search"}
            lastResult={result}
          />
        </>
      )}
    </>
  );
}
