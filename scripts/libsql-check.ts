import { createClient } from "@libsql/client/http";
import { SetupError } from "#app/server/config/setup-error.ts";

const timeoutMs = 5_000;

/**
 * Checks that the libSQL servers of the settings answer.
 *
 * @throws SetupError that names the setting and what to do, without its value
 */
export async function checkLibsql(settings: Record<string, string>): Promise<void> {
  for (const name of ["LIBSQL_URL", "LIBSQL_REPLICA_URL"]) {
    const url = settings[name];
    if (url) await checkServer(name, url, settings.LIBSQL_AUTH_TOKEN);
  }
}

async function checkServer(name: string, url: string, authToken: string | undefined): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const client = createClient({ url, authToken, fetch: (request: Request) => fetch(request, { signal }) });
  try {
    await client.execute("select 1");
  } catch (error) {
    const [, status] = /HTTP status (\d+)/.exec(causes(error).join("\n")) ?? [];
    if (status === "401" || status === "403") {
      const problem = authToken ? "is refused" : "is missing, but required";
      throw new SetupError(
        `LIBSQL_AUTH_TOKEN ${problem} by the server of ${name} (HTTP ${status}): set it to a token of that database.`,
      );
    }
    const isSilent = signal.aborted || Number(status) >= 500 || causes(error).includes("fetch failed");
    if (isSilent) {
      throw new SetupError(
        `${name} names a server that does not answer (${status ? `HTTP ${status}` : reason(error)}): start the server, or correct the address.`,
      );
    }
    const answer = status ? `HTTP ${status}` : "no libSQL";
    throw new SetupError(
      `${name} is not the address of a libSQL server (it answered with ${answer}): correct it.`,
    );
  }
}

function causes(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...causes(error.cause)] : [];
}

/** The system's error code, or else the innermost message. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error.name === "TimeoutError") return `within ${timeoutMs / 1000} seconds`;
  return reason(error.cause) || ((error as NodeJS.ErrnoException).code ?? error.message);
}
