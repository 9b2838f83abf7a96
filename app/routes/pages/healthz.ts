import { plainText } from "#app/server/http/security.server.ts";

/** Public: reports that the Worker runs. */
export function loader() {
  return plainText(200, "ok");
}
