import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { ProviderError } from "#app/features/payments/provider.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { logError } from "#app/server/logging/log.server.ts";

interface Posted {
  context: AppLoadContext;
  request: Request;
  viewer: Viewer;
}

const providerDown =
  "We can’t reach the payment page right now. Your booking stays: press “Pay” again in a minute.";

/**
 * The provider's page where a buyer pays an order; null if there is no provider.
 *
 * @throws ProviderError
 */
export async function openPaymentPage({ context, request, viewer }: Posted, orderId: string) {
  const provider = await paymentProvider(context.environment);
  if (!provider) return null;
  // The same from everywhere, so that of one order there is one page.
  const returnUrl = `${publicOrigin(context, request)}/manage/orders/${orderId}?paid=`;
  const { openPayment } = await import("#app/features/payments/payments.server.ts");
  return openPayment(context.db, provider, viewer, orderId, returnUrl);
}

/** The same; null also if the provider cannot be reached. */
async function paymentPage(posted: Posted, orderId: string) {
  try {
    return await openPaymentPage(posted, orderId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    logError(error, posted.context.reference);
    return null;
  }
}

/**
 * Leads a buyer to the provider's page; null if the order isn't paid there.
 *
 * @param here where they read why they can't pay
 */
export async function payOrder(posted: Posted, orderId: string, here = `/manage/orders/${orderId}`) {
  const { context } = posted;
  const page = await paymentPage(posted, orderId);
  if (page === "not found") return null;
  if (page === null) return redirectWithToast(context, here, { kind: "error", message: providerDown });
  if (page === "paid") return redirectWithToast(context, here, { kind: "success", message: "It’s paid" });
  if (page === "too late")
    return redirectWithToast(context, here, { kind: "error", message: "It’s too late to pay this order." });
  return redirect(page.url, 303);
}

/** Looks up whether a buyer who comes back from the provider's page has paid an order that goes on. */
export async function confirmOrder(
  { context, viewer }: Omit<Posted, "request">,
  orderId: string,
): Promise<boolean> {
  const provider = await paymentProvider(context.environment);
  if (!provider) return false;
  const { confirmPayment } = await import("#app/features/payments/payments.server.ts");
  try {
    return await confirmPayment(context.db, provider, viewer, orderId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The provider's event or the job tells.
    logError(error, context.reference);
    return false;
  }
}
