import {
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { aboutSlug, pagePath } from "#app/features/pages/page-slugs.ts";
import stylesheet from "#app/features/pages/page-text.css?url";
import { PublishedPage } from "#app/features/pages/page-text.tsx";
import { findPublishedPage } from "#app/features/pages/pages.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  pageTitle(data?.title ?? errorTitle(error) ?? "Page");

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export const handle: RouteHandle = {
  access: "anyone",
  cached: {},
  canonical: ({ params, data }) => (data ? { address: pagePath(params.slug ?? ""), kind: "website" } : null),
};

export const loader = withOutagePage(async ({ params, context }: LoaderFunctionArgs) => {
  // Public.
  const { slug = "" } = params;
  if (slug === aboutSlug) throw redirect(pagePath(slug));
  const page = await findPublishedPage(context.db, slug);
  if (!page) throw notFound();
  return page;
});

export default function PageRoute() {
  return <PublishedPage {...useLoaderData<typeof loader>()} />;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
