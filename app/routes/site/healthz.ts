import { plain } from "#app/platform/security.server.ts";

/** Public: that the Worker runs. */
export function loader() {
  return plain(200, "ok");
}
