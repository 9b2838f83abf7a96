import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { viewerIfReachable } from "#app/auth/guard.server.ts";
import { parseCompareQuery } from "#app/features/catalog/compare.rules.ts";
import stylesheet from "#app/features/catalog/compare-view.css?url";
import { CompareView } from "#app/features/catalog/compare-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(errorTitle(error) ?? titleOf(data?.phones ?? []));

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export const handle: RouteHandle = { access: "anyone", crawled: false };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public. The viewer is needed to tell sellers that a listing is their own.
  const { isTruncated, ...query } = parseCompareQuery(new URL(request.url).searchParams);
  const { findComparedListings } = await import("#app/features/catalog/compare.server.ts");
  const [phones, viewer] = await Promise.all([
    findComparedListings(context.db, query.ids),
    viewerIfReachable(context, request),
  ]);
  return { query, isTruncated, phones, viewerId: viewer?.id ?? null };
});

export default function ComparePage() {
  return <CompareView {...useLoaderData<typeof loader>()} />;
}

function titleOf(phones: { brandName: string; model: string }[]): string {
  const names = phones.map(({ brandName, model }) => `${brandName} ${model}`);
  return names.length > 1 ? `Compare ${names.join(", ")}` : "Compare devices";
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
