import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { facets } from "#app/features/catalog/search/facets.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { publicUrl } from "#app/server/http/request.server.ts";

/** The query parameters of searches, of which there is no end. */
const searches = [
  "q",
  "read",
  "exact",
  "from",
  "to",
  "sort",
  "more",
  ...facets.map(({ name }) => name),
].flatMap((name) => [`/*?${name}=`, `/*?*&${name}=`]);

export const handle: RouteHandle = { access: "anyone" };

/** @see https://www.rfc-editor.org/rfc/rfc9309 */
export function loader({ request, context }: LoaderFunctionArgs) {
  // Public.
  const pages = context.pages.all.filter(({ handle }) => handle.crawled === false);
  const disallowed = [...pages.map(({ path }) => path.replaceAll(/:\w+/g, "*")), ...searches];
  const lines = ["User-agent: *", ...disallowed.map((path) => `Disallow: ${path}`), "Allow: /"];
  return new Response(`${lines.join("\n")}\n\nSitemap: ${publicUrl(context, request, "/sitemap.xml")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
