import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requirePermission } from "#app/auth/guard.server.ts";
import { paymentTable } from "#app/features/payments/payment-table.rules.ts";
import { PaymentsTable } from "#app/features/payments/payments-table.tsx";
import { hasProvider } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Payments");

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
  const [payments, sums] = await Promise.all([
    listPayments(context.db, cursor, query),
    sumLedger(context.db),
  ]);
  return { query, payments, sums };
});

export default function Payments() {
  return <PaymentsTable {...useLoaderData<typeof loader>()} />;
}
