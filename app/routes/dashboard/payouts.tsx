import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { formRefusal, requireMySellings } from "#app/auth/guard.server.ts";
import { isSuspended } from "#app/features/accounts/viewer.ts";
import { payoutTable } from "#app/features/payments/payout-table.rules.ts";
import { PayoutsTable } from "#app/features/payments/payouts-table.tsx";
import { PayoutsView } from "#app/features/payments/payouts-view.tsx";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { hasProvider, ProviderError } from "#app/features/payments/provider.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { publicUrl } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { tableQuery } from "./table-requests.server.ts";

export const meta: MetaFunction = () => pageTitle("Payouts");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = {
  access: "my sellings",
  menu: { label: "Payouts", needsProvider: true },
};

/** What somebody reads who sells nothing yet, where the market has payouts. */
const listFirst = ({ environment }: AppLoadContext) =>
  hasProvider(environment) && "List your device first, or save it as a draft. Then you can set up payouts.";

export const loader = withOutagePage(async ({ request, context }: LoaderFunctionArgs) => {
  const viewer = await requireMySellings(context, request, listFirst(context));
  const provider = await paymentProvider(context.environment);
  if (!provider) throw notFound();
  const { db } = context;
  const { cursor, query } = tableQuery(payoutTable, request);
  const { findSellerDebt, findPayoutState } = await import("#app/features/payments/payouts.server.ts");
  const { isOwedLater, listPayouts, sumPayouts } = await import(
    "#app/features/payments/payout-entries.server.ts"
  );
  const [state, debtCents, entries, sums] = await Promise.all([
    findPayoutState(db, provider, viewer),
    findSellerDebt(db, viewer),
    listPayouts(db, viewer, cursor, query),
    sumPayouts(db, viewer),
  ]);
  const suspension = isSuspended(viewer)
    ? { until: viewer.suspendedUntil, holdsMoney: await isOwedLater(db, viewer) }
    : null;
  return { state, debtCents, suspension, account: viewer.email, query, entries, sums };
});

/** Goes to the provider's page, which comes back here; or takes what the seller owes. */
export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  const viewer = await requireMySellings(context, request, listFirst(context));
  const provider = await paymentProvider(context.environment);
  if (!provider) throw notFound();
  const form = await readForm(request);
  const refusal = await formRefusal({ context, request, viewer, form }, "change account");
  if (refusal) return refusedForm(refusal);
  const { setUpPayouts } = await import("#app/features/payments/payouts.server.ts");
  try {
    if (form.get("intent") === "retry") {
      const { retryDebts } = await import("#app/features/payments/payment-tasks.server.ts");
      const { findSellerDebt } = await import("#app/features/payments/payouts.server.ts");
      const failures = await retryDebts(context.db, provider, viewer);
      const isPaid = (await findSellerDebt(context.db, viewer)) === 0;
      const reason =
        failures.length > 0 ? "The money isn’t in your Stripe account yet" : "The bank has to decide first";
      return redirectWithToast(context, pathAndQuery(request), {
        kind: isPaid ? "success" : "error",
        message: isPaid ? "Paid" : reason,
      });
    }
    const returnUrl = publicUrl(context, request, "/manage/payouts");
    return redirect(await setUpPayouts(context.db, provider, viewer, returnUrl), 303);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logError(error, context.reference);
    return refusedForm({
      status: 503,
      formErrors: ["Stripe doesn’t answer right now. Try again in a minute."],
    });
  }
});

export { unlessRefused as shouldRevalidate } from "#app/server/forms/refused-form.ts";

export default function Payouts() {
  const { state, account, debtCents, suspension, ...table } = useLoaderData<typeof loader>();
  const notice = (
    <PayoutsView state={state} account={account} debtCents={debtCents} suspension={suspension} />
  );
  return <PayoutsTable notice={notice} {...table} />;
}
