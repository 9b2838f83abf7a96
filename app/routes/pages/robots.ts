import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { facets } from "#app/features/catalog/search/facets.rules.ts";
import { publicUrl } from "#app/server/http/request.server.ts";

const disallowed = [
  "/manage",
  "/login",
  "/logout",
  "/google",
  "/forgot",
  "/reset",
  "/verify",
  "/unsubscribe",
  "/addphone",
  "/report/",
  "/ticket",
  "/*/book",
  "/*/offer",
  "/compare",
  "/search/",
  ...["q", "exact", "from", "to", "sort", "more", ...facets.map(({ name }) => name)].flatMap((name) => [
    `/*?${name}=`,
    `/*?*&${name}=`,
  ]),
];

/** @see https://www.rfc-editor.org/rfc/rfc9309 */
export function loader({ request, context }: LoaderFunctionArgs) {
  // Public.
  const lines = ["User-agent: *", ...disallowed.map((path) => `Disallow: ${path}`), "Allow: /"];
  return new Response(`${lines.join("\n")}\n\nSitemap: ${publicUrl(context, request, "/sitemap.xml")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
