import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { fairPrice } from "#app/features/listings/fair-price.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "signed in" };

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requireUser(context, request);
  const { searchParams } = new URL(request.url);
  const parameter = (name: string) => (searchParams.get(name) ?? "").slice(0, 100);
  const fair = await fairPrice(context.db, {
    brandName: parameter("brandName"),
    model: parameter("model"),
    rom: parameter("rom"),
  });
  return Response.json({ fair });
});
