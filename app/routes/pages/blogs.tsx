import type { MetaFunction } from "@remix-run/cloudflare";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { Accordion } from "#app/ui/accordion.tsx";
import { posts } from "./blogs-content.tsx";

export const meta: MetaFunction = () =>
  pageTitle(
    "Blogs",
    "Answers to four questions about web development: React state, prototypes, unit tests, and React, Angular or Vue.",
  );

export const handle: RouteHandle = {
  canonical: () => ({ address: "/blogs", kind: "website" }),
};

export default function Blogs() {
  return (
    <div className="page-width grid gap-8 pt-10 sm:pt-16 lg:grid-cols-[5fr_8fr] lg:gap-16">
      <div className="self-start lg:sticky lg:top-below-bars">
        <h1 className="text-5xl font-semibold sm:text-7xl">Blogs</h1>
        <p className="mt-4 max-w-xs text-lg text-quiet sm:max-w-md">
          Our shop is built by web developers. Here they answer the four questions they are asked most often.
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
      <Accordion name="blogs" headings="h2" items={posts} />
    </div>
  );
}
