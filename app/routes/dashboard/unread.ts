import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/auth/guard.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { countUnread } from "#app/frame/unread.server.ts";
import { unlessOutage } from "#app/server/http/outage.server.ts";

export const handle: RouteHandle = { access: "signed in" };

/** The badges' counts for scripts: cached pages hold none. Null while the database is unreachable. */
export const loader = ({ request, context }: LoaderFunctionArgs) =>
  unlessOutage(
    context,
    async () => Response.json(await countUnread(context, await requireUser(context, request))),
    () => Response.json(null),
  );
