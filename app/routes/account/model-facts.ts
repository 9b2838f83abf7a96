import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

/** Models for the form of a new listing: suggestions, and what is known of the one that is typed. */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  // Public.
  const { searchParams } = new URL(request.url);
  const parameter = (name: string) => (searchParams.get(name) ?? "").slice(0, 100);
  const named = { brandName: parameter("brandName"), model: parameter("model") };
  // Loaded on demand, as for the form.
  const { findModelFacts, suggestModels } = await import("#app/features/listings/model-facts.server.ts");
  const [models, facts] = await Promise.all([
    suggestModels(context.db, named),
    findModelFacts(context.db, named),
  ]);
  return Response.json({ models, facts }, { headers: { "Cache-Control": "public, max-age=3600" } });
});
