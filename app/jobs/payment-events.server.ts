import type { AppLoadContext } from "@remix-run/cloudflare";
import { findLastJobRun } from "#app/features/administration/job-runs.server.ts";
import { eventHandlers } from "#app/features/order-problems/payment-event-handlers.server.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { forgetEvents, processEvents } from "#app/features/payments/provider-events.server.ts";
import { reconcile } from "#app/features/payments/reconciliation.server.ts";
import { logError } from "#app/server/logging/log.server.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Old events that one run deletes; the next run continues. */
const maxDeletions = 500;

/** The job: processes events that were not processed when they came, and forgets old ones. */
export async function retryPaymentEvents({ db, environment, reference }: Context): Promise<void> {
  const provider = await paymentProvider(environment);
  if (!provider) return;
  const failures = await processEvents(db, provider, eventHandlers);
  if (failures.length > 0) logError(new Error(`Events not processed: ${failures.join(", ")}.`), reference);
  await forgetEvents(db, maxDeletions);
}

/**
 * The job: once a day, compares the ledger with the provider.
 *
 * @throws Error that names each difference, so that the run counts as failed
 */
export async function reconcileDaily({ db, environment }: Context): Promise<void> {
  const now = new Date();
  const provider = await paymentProvider(environment);
  const lastRun = await findLastJobRun(db);
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);
  if (!provider || (lastRun && dayOf(lastRun.finishedAt) === dayOf(now))) return;
  const differences = await reconcile(db, provider, now);
  if (differences.length === 0) return;
  const named = differences.map(({ kind, id, orderId, problem }) => `${kind} ${id} of ${orderId} ${problem}`);
  throw new Error(`Ledger and payment provider differ: ${named.join("; ")}.`);
}
