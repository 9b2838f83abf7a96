import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { formRefusal, requireUser } from "#app/auth/guard.server.ts";
import { searchSettingsSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import { SavedSearchForm } from "#app/features/saved-searches/saved-search-form.tsx";
import { SearchTerms } from "#app/features/saved-searches/saved-search-list.tsx";
import { changeSavedSearch, findSavedSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";

export const meta: MetaFunction = () => pageTitle("Edit search");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const search = await findSavedSearch(context.db, viewer, params.searchId ?? "");
  if (!search) throw notFound();
  return { account: viewer.email, search };
});

export const action = withOutagePage(async ({ request, params, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const submission = parseForm(form, searchSettingsSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal({ context, request, viewer, form }, "change searches");
  if (refusal) return invalidForm(submission, refusal);
  if (!(await changeSavedSearch(context.db, viewer, params.searchId ?? "", submission.value))) {
    throw notFound();
  }
  return redirectWithToast(context, "/manage/searches", { kind: "success", message: "Search saved" });
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function EditSearch() {
  const { account, search } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  return (
    <>
      <BackLink to="/manage/searches">Searches</BackLink>
      <h1 className="mb-4 text-3xl font-semibold">Edit search</h1>
      <div className="mb-6">
        <SearchTerms category={search.category} query={search.query} />
      </div>
      <SavedSearchForm account={account} settings={search} button="Save changes" lastResult={result} />
    </>
  );
}

export { MissingSearch as ErrorBoundary } from "./missing-search.tsx";
