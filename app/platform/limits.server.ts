import type { RequestContext } from "./request-context.server.ts";

/** What is limited for each client address; the figures stand in `wrangler.toml`. */
export type Limited = "REPORT_LIMIT" | "RECOVERY_LIMIT";

/**
 * Whether a client may do a limited thing once more. Clients are told apart by the address Cloudflare saw, the
 * only one to believe; without it (a market on this machine) all count as one.
 */
export async function withinLimit(
  { environment }: RequestContext,
  limited: Limited,
  request: Request,
): Promise<boolean> {
  const { success } = await environment[limited].limit({
    key: request.headers.get("CF-Connecting-IP") ?? "local",
  });
  return success;
}
