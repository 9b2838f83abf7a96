import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { xmlResponse, xmlText } from "#app/server/http/xml.ts";

export const handle: RouteHandle = { access: "anyone" };

/** The sitemap index. @see https://www.sitemaps.org/protocol.html#index */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const origin = publicOrigin(context, request);
  const { sitemapParts } = await import("#app/features/catalog/sitemap.server.ts");
  const { listings, models } = await sitemapParts(context.db);
  const parts = [
    "pages",
    ...Array.from({ length: models }, (_, index) => `models-${index + 1}`),
    ...Array.from({ length: listings }, (_, index) => index + 1),
  ];
  const entries = parts.map(
    (part) => `<sitemap><loc>${xmlText(`${origin}/sitemap/${part}.xml`)}</loc></sitemap>\n`,
  );
  return xmlResponse(
    `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</sitemapindex>\n`,
    { seconds: 3600 },
  );
});
