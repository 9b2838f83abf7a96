import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { badRequest, notFound, plainText } from "#app/server/http/responses.server.ts";
import { logError } from "#app/server/logging/log.server.ts";

export const handle: RouteHandle = { access: "anyone", crawled: false };

export const loader = () => plainText(405, "Method not allowed.", { Allow: "POST" });

/** Receives what the payment provider reports. It is answered at once, and processed afterwards. */
export const action = withOutagePage(async ({ request, context }: ActionFunctionArgs) => {
  // Public: the provider signs its events.
  const { db, environment, reference } = context;
  const provider = await paymentProvider(environment);
  if (!provider) return notFound();
  const { processEvent, receiveEvent } = await import("#app/features/payments/provider-events.server.ts");
  const { eventHandlers } = await import("#app/features/order-problems/payment-event-handlers.server.ts");
  const event = { body: await request.text(), signature: request.headers.get("Stripe-Signature") };
  const id = await receiveEvent(db, provider, eventHandlers, event);
  if (id === null) return badRequest("The signature is wrong or too old.");
  context.inBackground(async () => {
    const failures = await processEvent(db, provider, eventHandlers, id);
    if (failures.length > 0) logError(new Error(`Events not processed: ${failures.join(", ")}.`), reference);
  });
  return plainText(200, "ok");
});
