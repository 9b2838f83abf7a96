import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { FoundRecordsView, whatToType } from "#app/features/administration/found-records-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { parseTableQuery } from "#app/server/forms/table-query.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { RecordSearch } from "./record-search.tsx";

export const meta: MetaFunction = () => pageTitle("Search");

const search = { filters: [{ name: "q", label: "Search", kind: "words" }], sorts: {} } as const;

export const handle = { access: "search records" } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const { q = "" } = parseTableQuery(search, new URL(request.url).searchParams).filters;
  const { findRecords } = await import("#app/features/administration/find-records.server.ts");
  return { words: q, found: q ? await findRecords(context.db, viewer, q, context.secrets) : null };
});

export default function SearchPage() {
  const { words, found } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">{found ? "Search results" : "Search"}</h1>
      <RecordSearch id="record-search" words={words} />
      {found ? (
        <FoundRecordsView found={found} words={words} />
      ) : (
        <p className="mt-6 max-w-prose text-quiet">
          Users, orders, listings and reports in one place. {whatToType} Activity notes searches that find an
          address or a phone number.
        </p>
      )}
    </>
  );
}
