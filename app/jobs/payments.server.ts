import type { AppLoadContext } from "@remix-run/cloudflare";
import { addDueTasks, endUnpaidPayments, moveMoney } from "#app/features/payments/payments.server.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import type { PaymentProvider } from "#app/features/payments/provider.ts";
import { logError } from "#app/server/logging/log.server.ts";

type Context = Pick<AppLoadContext, "db" | "environment" | "reference">;

/** Sends what waits to be sent to the payment provider, if the market has one: after each write. */
export async function sendDueTasks(context: Context): Promise<void> {
  const provider = await paymentProvider(context.environment);
  if (provider) await sendTasks(context, provider);
}

/** The job: also finds what has become due, and looks up what was not paid in time. */
export async function workOffPayments(context: Context): Promise<void> {
  const { db, environment, reference } = context;
  const provider = await paymentProvider(environment);
  if (!provider) return;
  const failures = await endUnpaidPayments(db, provider);
  if (failures.length > 0) logError(new Error(`Payments not looked up: ${failures.join(", ")}.`), reference);
  await addDueTasks(db);
  await sendTasks(context, provider);
}

async function sendTasks({ db, reference }: Context, provider: PaymentProvider) {
  const failures = await moveMoney(db, provider);
  if (failures.length === 0) return;
  const codes = [...new Set(failures)].join(", ");
  logError(new Error(`Payment tasks failed: ${failures.length} (${codes}).`), reference);
}
