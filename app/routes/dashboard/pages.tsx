import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { newPageSlug } from "#app/features/pages/page-slugs.ts";
import { listPages } from "#app/features/pages/pages.server.ts";
import { PageList } from "#app/features/pages/pages-view.tsx";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";

export const meta: MetaFunction = () => pageTitle("Pages");

export const handle = { access: "write pages", menu: { label: "Pages" } } satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  return { pages: await listPages(context.db) };
});

export default function Pages() {
  const { pages } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Pages</h1>
      <p className="mb-6 max-w-prose text-quiet">
        Visitors see what you publish within a few minutes. Every version is kept.
      </p>
      <p className="mb-6 flex flex-wrap gap-3">
        <Link to={newPageSlug} className="btn btn-primary">
          New page
        </Link>
        <Link to={`${newPageSlug}?kind=post`} className="btn btn-outline">
          New blog post
        </Link>
      </p>
      <PageList pages={pages} />
    </>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
