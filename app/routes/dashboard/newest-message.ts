import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import { newestMessageId } from "#app/features/messages/conversations.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "signed in" };

/** The version of the viewer's conversations, for pages that show them. */
export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request);
  const version = await newestMessageId(context.db, viewer);
  return Response.json({ version }, { headers: { "Cache-Control": "no-store" } });
});
