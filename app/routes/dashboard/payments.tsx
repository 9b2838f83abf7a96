import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { settleDifferenceSchema } from "#app/features/payments/difference.schema.ts";
import { paymentTable } from "#app/features/payments/payment-table.rules.ts";
import { PaymentsTable } from "#app/features/payments/payments-table.tsx";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { hasProvider, ProviderError } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest, notFound } from "#app/server/http/responses.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { actionFailedToast, tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Payments");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle = {
  access: "manage orders",
  menu: { label: "Payments", needsProvider: true },
} satisfies RouteHandle;

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  await requirePermission(context, request, handle.access);
  if (!hasProvider(context.environment)) throw notFound();
  const { cursor, query } = tableQuery(paymentTable, request);
  const { listPayments } = await import("#app/features/payments/payment-list.server.ts");
  const { sumLedger } = await import("#app/features/payments/payment-tasks.server.ts");
  const { listDifferences } = await import("#app/features/payments/reconciliation.server.ts");
  const [payments, sums, differences] = await Promise.all([
    listPayments(context.db, cursor, query),
    sumLedger(context.db),
    listDifferences(context.db),
  ]);
  return { query, payments, sums, differences };
});

/** Compares the ledger with the provider, or records that a difference is settled. */
export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requirePermission(context, request, handle.access);
  const provider = await paymentProvider(context.environment);
  if (!provider) throw notFound();
  const form = await readForm(request);
  const limitRefusal = await rateLimitRefusal(context, "advance order", request);
  if (limitRefusal) return refusedForm(limitRefusal);
  const { reconcile, settleDifference } = await import("#app/features/payments/reconciliation.server.ts");
  const back = (toast: Toast) => redirectWithToast(context, pathAndQuery(request), toast);
  if (form.get("intent") === "settle") {
    const submission = parseForm(form, settleDifferenceSchema);
    if (submission.status !== "success") return invalidForm(submission);
    const { difference, reason } = submission.value;
    const isSettled = await settleDifference(context.db, viewer, difference, reason);
    return back(isSettled ? { kind: "success", message: "Settled" } : actionFailedToast);
  }
  if (form.get("intent") !== "compare") throw badRequest();
  try {
    const { length } = await reconcile(context.db, provider);
    const message = length === 0 ? "Ledger and Stripe agree" : `Compared: ${length} differ`;
    return back({ kind: length === 0 ? "success" : "error", message });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logError(error, context.reference);
    return back({ kind: "error", message: "Stripe doesn’t answer right now. Try again in a minute." });
  }
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Payments() {
  return <PaymentsTable {...useLoaderData<typeof loader>()} />;
}
