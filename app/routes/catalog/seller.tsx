import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { cursorSearch, idKey, parseCursor } from "#app/db/cursor.ts";
import { findSeller } from "#app/features/catalog/seller.server.ts";
import { SellerView } from "#app/features/catalog/seller-view.tsx";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { forwardPage } from "./canonical-pages.rules.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data
    ? pageTitle(data.seller.name, `Used phones and tablets from ${data.seller.name} on ${brand.name}.`)
    : pageTitle(errorTitle(error) ?? "Seller");

export const handle: RouteHandle = {
  access: "anyone",
  cached: { search: cursorSearch(idKey) },
  canonical: ({ params, search, data }) => {
    const page = forwardPage(parseCursor(search, idKey));
    return data ? { address: `/sellers/${params.sellerId}${page}`, kind: "profile" } : null;
  },
};

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  // Public.
  const cursor = parseCursor(new URL(request.url).searchParams, idKey);
  const found = await findSeller(context.db, params.sellerId ?? "", cursor);
  if (!found) throw notFound();
  return hasProvider(context.environment)
    ? found
    : { ...found, seller: { ...found.seller, returnDays: null } };
});

export default function SellerPage() {
  return <SellerView {...useLoaderData<typeof loader>()} />;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
