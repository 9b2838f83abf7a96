import { cancelRefusal } from "#app/features/orders/order-details.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, deleted, deletedResponse, nothingDeleted } from "./results.ts";

const route = defineApiRoute({
  DELETE: operation({
    tag: "Bookings",
    summary: "Cancel a booking",
    description:
      "Buyers cancel their own bookings until the handover, administrators any booking until it is received. The device is then available again.",
    access: "signed in",
    mutation: "cancel order",
    params: byId,
    response: deleted,
    errors: {
      404: "No such booking, or it isn’t the caller’s.",
      409: "The device has been handed over, or a problem is open.",
    },
    async handle({ context, viewer, params }) {
      const removalId = await cancelOrder(context.db, viewer, params.id);
      if (removalId) return deletedResponse();
      const refusal = await cancelRefusal(context.db, viewer, params.id);
      return refusal
        ? problem(409, refusal, nothingDeleted)
        : problem(404, "No such booking.", nothingDeleted);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
