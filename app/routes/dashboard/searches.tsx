import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { saveSearchPath } from "#app/features/saved-searches/saved-search.rules.ts";
import { SavedSearchList } from "#app/features/saved-searches/saved-search-list.tsx";
import { deleteSavedSearch, listSavedSearches } from "#app/features/saved-searches/saved-searches.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { markPageNotificationsAsRead } from "../mark-as-read.server.ts";
import { actionFailedToast } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Searches");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", menu: { label: "Searches" } };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const [searches] = await Promise.all([
    listSavedSearches(context.db, viewer),
    markPageNotificationsAsRead(context, request, viewer),
  ]);
  return { searches };
});

export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const form = await readForm(request);
  const limitRefusal = await rateLimitRefusal(context, "change searches", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const deleted = await deleteSavedSearch(context.db, viewer, String(form.get("_id")));
  const toast = deleted ? deletedToast(viewer, deleted) : actionFailedToast;
  return redirectWithToast(context, pathAndQuery(request), toast);
});

type DeletedSearch = NonNullable<Awaited<ReturnType<typeof deleteSavedSearch>>>;

/** Must leave room in the cookie of the message. */
const maxUndoLength = 1500;

function deletedToast({ email }: Viewer, { name, frequency, category, query }: DeletedSearch): Toast {
  const action = saveSearchPath(category, query);
  const button = { label: "Undo", action, fields: { name, frequency, account: email } };
  const toast = { kind: "success", message: "Search deleted" } as const;
  return action.length > maxUndoLength ? toast : { ...toast, button };
}

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Searches() {
  const { searches } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Searches</h1>
      <p className="mb-6 max-w-prose text-pretty text-quiet">
        We’ll let you know about new matches and price drops.
      </p>
      <ActionError />
      {searches.length > 0 ? <SavedSearchList searches={searches} /> : <NoSearches />}
    </>
  );
}

function NoSearches() {
  return (
    <EmptyState
      icon={<SearchIcon className="size-10" />}
      title="No saved searches yet"
      text="Search for a device or pick filters, then press “Save this search” above the results."
    >
      <Link to="/products" className="btn btn-primary">
        Browse all products
      </Link>
    </EmptyState>
  );
}
