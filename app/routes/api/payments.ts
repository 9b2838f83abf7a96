import { z } from "zod";
import { findOrder } from "#app/features/orders/order-details.server.ts";
import { entryStateSchema } from "#app/features/payments/payment.schema.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { hasProvider, ProviderError } from "#app/features/payments/provider.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { retryAfter } from "#app/server/http/outage.server.ts";
import { logError } from "#app/server/logging/log.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import {
  paymentRecord,
  payoutRecord,
  payoutsRecord,
  toPayment,
  toPayout,
  toPayouts,
} from "./payment-records.ts";
import { idParams } from "./results.ts";

const described = { tag: "Payments", access: "signed in" } as const;

const noPayment = "No such booking, or its payment isn’t protected.";
const noPayouts = "Payments aren’t protected here, so nothing is paid out.";

const loadEntries = () => import("#app/features/payments/payout-entries.server.ts");

const routes = defineApiRoutes({
  "/bookings/:id/payment": {
    GET: operation({
      ...described,
      summary: "Get the payment of a protected booking",
      description: "For the buyer, the seller and administrators.",
      params: idParams,
      response: paymentRecord,
      errors: { 404: "No such booking, it isn’t yours, or its payment isn’t protected." },
      async handle({ context, viewer, params }) {
        const order = await findOrder(context.db, viewer, params.id);
        return order?.payment
          ? Response.json(toPayment(order, order.payment))
          : problemDetails(404, noPayment);
      },
    }),
    POST: operation({
      ...described,
      summary: "Open the page where you pay a booking",
      description:
        "For the buyer, as long as the booking waits for its payment. Until the page expires, you get the same one again.",
      params: idParams,
      mutation: "advance order",
      response: z.object({
        url: z.string().nullable().describe("At the payment provider. Null in a market without one."),
      }),
      errors: {
        404: "No such booking, you aren’t its buyer, or its payment isn’t protected.",
        409: "It’s paid, or it’s too late to pay.",
        503: "The payment provider doesn’t answer.",
      },
      async handle({ context, request, viewer, params }) {
        const order = await findOrder(context.db, viewer, params.id);
        if (order?.role !== "buyer" || !order.payment) return problemDetails(404, noPayment);
        try {
          const { openPaymentPage } = await import("../dashboard/pay-order.server.ts");
          const page = await openPaymentPage({ context, request, viewer }, params.id);
          if (page === "not found") return problemDetails(404, noPayment);
          if (page === "paid") return problemDetails(409, "It’s paid.");
          if (page === "too late") return problemDetails(409, "It’s too late to pay this booking.");
          return Response.json({ url: page?.url ?? null });
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          logError(error, context.reference);
          return problemDetails(503, "We can’t reach the payment page right now. Try again in a minute.", {
            headers: retryAfter,
          });
        }
      },
    }),
  },
  "/payouts": {
    GET: operation({
      ...described,
      summary: "Show your payouts",
      description: "`GET /payouts/bookings` lists them.",
      response: payoutsRecord,
      errors: { 404: "The market has no payment provider." },
      async handle({ context, viewer }) {
        const provider = await paymentProvider(context.environment);
        if (!provider) return problemDetails(404, noPayouts);
        const { findPayoutState } = await import("#app/features/payments/payouts.server.ts");
        const { sumPayouts } = await loadEntries();
        const [state, sums] = await Promise.all([
          findPayoutState(context.db, provider, viewer),
          sumPayouts(context.db, viewer),
        ]);
        return Response.json(toPayouts(state, sums));
      },
    }),
  },
  "/payouts/bookings": {
    GET: operation({
      ...described,
      summary: "List the protected bookings that buyers of yours have paid",
      query: listQuerySchema.extend({
        state: entryStateSchema.optional().describe("Only bookings whose money is there."),
      }),
      response: z.array(payoutRecord),
      paginated: true,
      errors: { 404: "The market has no payment provider." },
      async handle({ request, context, viewer, query }) {
        if (!hasProvider(context.environment)) return problemDetails(404, noPayouts);
        const { selectPayouts } = await loadEntries();
        const read = selectPayouts.bind(null, context.db, viewer, query.state);
        return listResponse(request, query, { read, record: toPayout });
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
