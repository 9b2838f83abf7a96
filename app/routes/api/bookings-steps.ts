import { z } from "zod";
import { handoverSchema } from "#app/features/orders/booking.schema.ts";
import { orderIntents, orderRefusals, parcelOf } from "#app/features/orders/order.rules.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { orderDetailsRecord, toOrderDetails } from "./order-records.ts";
import { byId, modifiedResponse, modifiedSchema, unmodifiedFields } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Bookings",
    summary: "Get a booking, with its history and next steps",
    description: "For the buyer, the seller and administrators.",
    access: "signed in",
    params: byId,
    response: orderDetailsRecord,
    errors: { 404: "No such booking, or it isn’t yours." },
    async handle({ context, viewer, params }) {
      const order = await findOrder(context.db, viewer, params.id);
      return order ? Response.json(toOrderDetails(order)) : problem(404, "No such booking.");
    },
  }),
  PUT: operation({
    tag: "Bookings",
    summary: "Take a booking’s next step",
    description:
      "Sellers hand over, and can let a buyer who cancelled book again. Buyers receive. The side that’s waiting can extend the time once. Buyers can cancel until the handover, sellers until it’s marked as received. Repeating a step you’ve taken succeeds and changes nothing. Handing over again in another way corrects how you did, until it’s marked as received.",
    access: "signed in",
    params: byId,
    body: handoverSchema.safeExtend({ step: z.enum(orderIntents) }),
    example: { step: "hand over", handover: "shipped", parcelService: "UPS", trackingNumber: "1Z 999 AA1" },
    mutation: "advance order",
    response: modifiedSchema,
    errors: {
      404: "No such booking, or it isn’t yours.",
      409: "The booking isn’t at the stage before this step, or the step isn’t yours to take.",
    },
    async handle({ context, viewer, params, body }) {
      const { refusal } = await handleOrderIntent(context.db, viewer, params.id, body.step, parcelOf(body));
      if (!refusal) return modifiedResponse(1);
      return refusal === "not found"
        ? problem(404, "No such booking.", unmodifiedFields)
        : problem(409, orderRefusals[refusal], unmodifiedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
