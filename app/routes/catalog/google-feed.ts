import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { brand } from "#app/brand.ts";
import type { FeedListing } from "#app/features/catalog/product-feed.server.ts";
import { merchantTermsOf } from "#app/features/payments/merchant-terms.ts";
import { paymentPromiseOf } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { notFound, streamText } from "#app/server/http/responses.server.ts";
import { xmlResponse, xmlText } from "#app/server/http/xml.ts";

// Google may read it, but does not list it.
export const handle: RouteHandle = { access: "anyone" };

/** Product data for Google Merchant Center, as RSS 2.0. @see https://support.google.com/merchants/answer/14987622 */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const { feedParts, listingsOfFeed } = await import("#app/features/catalog/product-feed.server.ts");
  const { productAttributes } = await import("#app/features/catalog/product-feed.rules.ts");
  const origin = publicOrigin(context, request);
  const number = new URL(request.url).searchParams.get("part") ?? "1";
  const part = Number(number);
  const parts = await feedParts(context.db);
  if (!/^[1-9]\d*$/.test(number) || part > parts) throw notFound();
  const itemOf = (listing: FeedListing) => {
    const terms = merchantTermsOf(listing.delivery, paymentPromiseOf(context.environment, listing));
    const lines = productAttributes(listing, terms, origin).map(
      ([name, value]) => `<g:${name}>${xmlText(value)}</g:${name}>\n`,
    );
    return `<item>\n${lines.join("")}</item>\n`;
  };
  const next = part < parts ? addressOf(origin, part + 1) : null;
  const headers = new Headers({ "X-Robots-Tag": "noindex", ...(next && { Link: `<${next}>; rel="next"` }) });
  const text = feedText(origin, part, next, listingsOfFeed(context.db, part), itemOf);
  return xmlResponse(await streamText(text), { type: "application/rss+xml", seconds: 3600, headers });
});

const addressOf = (origin: string, part: number) =>
  `${origin}/feeds/google.xml${part > 1 ? `?part=${part}` : ""}`;

async function* feedText(
  origin: string,
  part: number,
  next: string | null,
  listings: AsyncIterable<FeedListing[]>,
  itemOf: (listing: FeedListing) => string,
) {
  const link = (rel: string, address: string) =>
    `<atom:link href="${xmlText(address)}" rel="${rel}" type="application/rss+xml"/>\n`;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(brand.name)}</title>
<link>${xmlText(`${origin}/`)}</link>
<description>${xmlText(`${brand.name}: ${brand.tagline}`)}</description>
${link("self", addressOf(origin, part))}${next ? link("next", next) : ""}`;
  for await (const some of listings) yield some.map(itemOf).join("");
  yield "</channel>\n</rss>\n";
}
