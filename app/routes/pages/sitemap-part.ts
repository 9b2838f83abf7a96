import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { pagePath } from "#app/features/pages/page-slugs.ts";
import { listPublishedPages } from "#app/features/pages/pages.server.ts";
import { handleOf, type RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { notFound, streamText } from "#app/server/http/responses.server.ts";
import { xmlResponse, xmlText } from "#app/server/http/xml.ts";

export const handle: RouteHandle = { access: "anyone" };

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  // Public.
  const origin = publicOrigin(context, request);
  if (params.part === "pages.xml") return sitemapResponse([await pages(context)], origin);
  const { listingsOfPart, modelsOfSitemapPart, sitemapParts } = await import(
    "#app/features/catalog/sitemap.server.ts"
  );
  const [, models, number] = params.part?.match(/^(models-)?([1-9]\d{0,8})\.xml$/) ?? [];
  const part = Number(number);
  const parts = number && (await sitemapParts(context.db));
  if (!parts || part > (models ? parts.models : parts.listings)) {
    throw notFound();
  }
  const { db } = context;
  return models
    ? sitemapResponse(modelsOfSitemapPart(db, part), origin)
    : sitemapResponse(
        paths(listingsOfPart(db, part), (id) => `/phones/${id}`),
        origin,
      );
});

async function sitemapResponse(
  paths: AsyncIterable<string[]> | Iterable<string[]>,
  origin: string,
): Promise<Response> {
  return xmlResponse(await streamText(urlSet(paths, origin)), { seconds: 3600 });
}

async function pages({ db, pages: routes }: AppLoadContext): Promise<string[]> {
  const found = routes.all.filter((page) => handleOf(page).canonical && !page.path.includes(":"));
  const written = (await listPublishedPages(db)).map(({ slug }) => pagePath(slug));
  // About us, for one, is in both.
  return [...new Set([...found.map(({ path }) => path), ...written])];
}

async function* paths(keys: AsyncIterable<string[]>, pathOf: (key: string) => string) {
  for await (const some of keys) yield some.map(pathOf);
}

/** @see https://www.sitemaps.org/protocol.html */
async function* urlSet(paths: AsyncIterable<string[]> | Iterable<string[]>, origin: string) {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  for await (const some of paths) {
    yield some.map((path) => `<url><loc>${xmlText(origin + path)}</loc></url>\n`).join("");
  }
  yield "</urlset>\n";
}
