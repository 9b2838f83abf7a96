import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { retryAfter } from "#app/server/http/outage.server.ts";
import { plainText } from "#app/server/http/responses.server.ts";

export const handle: RouteHandle = { access: "anyone" };

/** Public: reports whether the database is reachable. */
export async function loader({ context }: LoaderFunctionArgs) {
  return (await context.isDatabaseUp())
    ? plainText(200, "ok")
    : plainText(503, "The database does not answer.", retryAfter);
}
