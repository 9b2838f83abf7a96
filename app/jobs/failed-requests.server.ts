import type { AppLoadContext } from "@remix-run/cloudflare";
import { recordError } from "#app/features/administration/recorded-errors.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { loggedMethod, type RequestTrace } from "#app/server/logging/request-trace.server.ts";

export type Failure = [trace: RequestTrace, request: Request, maskedPath: string, status: number];

/** Records a failed request for System. During an outage only the log has it. */
export async function recordFailedRequest(
  openDb: () => Promise<AppLoadContext["db"]>,
  ...[{ reference }, request, path, status]: Failure
): Promise<void> {
  try {
    await recordError(await openDb(), { reference, method: loggedMethod(request), path, status });
  } catch (error) {
    logError(error, reference);
  }
}
