import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { openSavedSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";

/** Leads to the list of a saved search, whose matches then count as seen. */
export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const path = await openSavedSearch(context.db, viewer, params.searchId ?? "");
  if (path === null) throw notFound();
  return redirect(path, { headers: { "Cache-Control": "private, no-store" } });
});

/** Never shown: with a component, errors have the frame of the dashboard. */
export default function OpenSearch() {
  return null;
}
