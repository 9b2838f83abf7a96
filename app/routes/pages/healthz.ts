import type { RouteHandle } from "#app/frame/route-handle.ts";
import { plainText } from "#app/server/http/responses.server.ts";

export const handle: RouteHandle = { access: "anyone" };

/** Public: reports that the Worker runs. */
export function loader() {
  return plainText(200, "ok");
}
