import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { brand } from "#app/brand.ts";
import { type Category, categoryByPath } from "#app/features/catalog/category.rules.ts";
import { catalogRevision, type FeedTileData, newestListed } from "#app/features/catalog/feed.server.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { etagMatches, publicOrigin } from "#app/server/http/request.server.ts";
import { xmlResponse, xmlText } from "#app/server/http/xml.ts";

const seconds = 300;

export const handle: RouteHandle = { access: "anyone" };

/** RSS 2.0. @see https://www.rssboard.org/rss-specification */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const { pathname } = new URL(request.url);
  const category = categoryByPath(decodeURIComponent(pathname).replace(/\.rss(\.data)?\/*$/i, ""));
  const headers = {
    ETag: `W/"${await catalogRevision(context.db)}"`,
    "Cache-Control": `public, max-age=${seconds}`,
  };
  if (etagMatches(request, headers.ETag)) return new Response(null, { status: 304, headers });
  const text = feedText(category, await newestListed(context.db, category), publicOrigin(context, request));
  return xmlResponse(text, { type: "application/rss+xml", seconds, headers });
});

function feedText({ name, path, summary }: Category, phones: FeedTileData[], origin: string): string {
  const latest = phones[0]?.createdAt;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(`Newest at ${brand.name}: ${name}`)}</title>
<link>${xmlText(origin + path)}</link>
<description>${xmlText(summary)}</description>
<language>en</language>
${latest ? `<lastBuildDate>${latest.toUTCString()}</lastBuildDate>\n` : ""}<atom:link href="${xmlText(`${origin}${path}.rss`)}" rel="self" type="application/rss+xml"/>
${phones.map((phone) => item(phone, origin)).join("")}</channel>
</rss>
`;
}

function item(phone: FeedTileData, origin: string): string {
  const address = xmlText(`${origin}/phones/${phone.id}`);
  const price = priceLabel(phone.sellingCents);
  return `<item>
<title>${xmlText(`${phone.brandName} ${phone.model}, ${phone.rom}: ${price}`)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
<pubDate>${phone.createdAt.toUTCString()}</pubDate>
<description>${xmlText(xmlText(`${phone.ram} RAM, ${phone.rom}, for ${price} (market price ${priceLabel(phone.marketCents)}). ${phone.sellingReason}`))}</description>
</item>
`;
}
