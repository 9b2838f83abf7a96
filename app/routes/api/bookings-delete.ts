import type { OrderRefusal } from "#app/features/orders/order.rules.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { stepRefusalText } from "./order-records.ts";
import { byId, deletedResponse, deletedSchema, undeletedFields } from "./results.ts";

/** Answered by 404: a cancelled booking counts as deleted. */
const goneRefusals: OrderRefusal[] = ["not found", "done before", "cancelled"];

const route = defineApiRoute({
  DELETE: operation({
    tag: "Bookings",
    summary: "Cancel a booking",
    description:
      "Buyers and administrators can cancel until the handover. After that, administrators cancel by `PUT /bookings/steps/{id}`, with a reason.",
    access: "signed in",
    mutation: "cancel order",
    params: byId,
    response: deletedSchema,
    errors: {
      404: "No such booking, or it isn’t yours.",
      409: "The device has been handed over, or a problem is open.",
    },
    async handle({ context, viewer, params }) {
      const { refusal } = await cancelOrder(context.db, viewer, params.id);
      if (!refusal) return deletedResponse();
      return goneRefusals.includes(refusal)
        ? problem(404, "No such booking.", undeletedFields)
        : problem(409, stepRefusalText(refusal), undeletedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
