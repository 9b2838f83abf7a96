import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { parseNumbersQuery } from "#app/features/statistics/numbers.rules.ts";
import { NumbersView } from "#app/features/statistics/numbers-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";

export const meta: MetaFunction = () => pageTitle("Numbers");

export const handle = { access: "see numbers", menu: { label: "Numbers" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  const query = parseNumbersQuery(new URL(request.url).searchParams);
  // Loaded on demand, as the job is: few requests need it.
  const { readNumbers } = await import("#app/features/statistics/numbers.server.ts");
  return { query, numbers: await readNumbers(context.db, query) };
});

export default function NumbersPage() {
  return <NumbersView {...useLoaderData<typeof loader>()} />;
}
