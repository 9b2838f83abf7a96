import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { pagePath } from "#app/features/pages/page-slugs.ts";
import stylesheet from "#app/features/pages/page-text.css?url";
import { PageText } from "#app/features/pages/page-text.tsx";
import { listPublishedPages } from "#app/features/pages/pages.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { dayLabel } from "#app/time.ts";
import { Accordion } from "#app/ui/accordion.tsx";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = () =>
  pageTitle(
    "Blogs",
    "Answers to four questions about web development: React state, prototypes, unit tests, and React, Angular or Vue.",
  );

export const handle: RouteHandle = {
  access: "anyone",
  cached: {},
  canonical: () => ({ address: "/blogs", kind: "website" }),
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context }: LoaderFunctionArgs) {
  // Public.
  const pages = await listPublishedPages(context.db);
  const newest = pages
    .filter(({ kind }) => kind === "post")
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  // Loaded on demand: few requests need them.
  const { default: posts } = await import("./blogs.md");
  return { posts, written: newest.map(({ slug, title, createdAt }) => ({ slug, title, createdAt })) };
}

export default function Blogs() {
  const { posts, written } = useLoaderData<typeof loader>();
  return (
    <div className="page-width grid gap-8 pt-10 sm:pt-16 lg:grid-cols-[5fr_8fr] lg:gap-16">
      <div className="self-start lg:sticky lg:top-below-bars">
        <h1 className="text-5xl font-semibold sm:text-7xl">Blogs</h1>
        <p className="mt-4 max-w-xs text-lg text-quiet sm:max-w-md">
          Web developers built this shop. Here they answer the four questions they hear most.
        </p>
        <div className="mt-8 hidden border-b-4 border-base-content lg:block">
          <img
            src="/devices/samsung-galaxy-tab-s8.svg"
            alt=""
            width="400"
            height="360"
            className="-mb-[3.25%] h-auto w-full"
          />
        </div>
      </div>
      <div>
        <Accordion
          name="blogs"
          headings="h2"
          items={posts.map(({ title, html }) => ({ title, body: <PageText html={html} /> }))}
        />
        {written.length > 0 && (
          <section aria-labelledby="written" className="mt-12">
            <h2 id="written" className="mb-2 text-2xl font-semibold">
              More posts
            </h2>
            <ul className="divide-y divide-base-300 border-y border-base-300 text-lg">
              {written.map(({ slug, title, createdAt }) => (
                <li key={slug} className="flex flex-wrap justify-between gap-x-6 py-3">
                  <Link to={pagePath(slug)} className="link wrap-anywhere">
                    {title}
                  </Link>
                  <time dateTime={createdAt} className="text-quiet">
                    {dayLabel(createdAt)}
                  </time>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
