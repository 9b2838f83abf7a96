import { plain } from "#app/server/http/security.server.ts";

/** Public: reports that the Worker runs. */
export function loader() {
  return plain(200, "ok");
}
