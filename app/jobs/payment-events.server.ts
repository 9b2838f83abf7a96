import type { AppLoadContext } from "@remix-run/cloudflare";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { forgetEvents, processEvents } from "#app/features/payments/provider-events.server.ts";
import { logError } from "#app/server/logging/log.server.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Old events that one run deletes; the next run continues. */
const maxDeletions = 500;

/** The job: processes events that were not processed when they came, and forgets old ones. */
export async function continueEvents({ db, environment, reference }: Context): Promise<void> {
  const provider = await paymentProvider(environment);
  if (!provider) return;
  const failures = await processEvents(db, provider);
  if (failures.length > 0) logError(new Error(`Events not processed: ${failures.join(", ")}.`), reference);
  await forgetEvents(db, maxDeletions);
}
