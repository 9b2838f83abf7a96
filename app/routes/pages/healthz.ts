import { plainText } from "#app/server/http/responses.server.ts";

/** Public: reports that the Worker runs. */
export function loader() {
  return plainText(200, "ok");
}
