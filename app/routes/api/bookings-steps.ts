import { z } from "zod";
import { cancellationSchema, handoverSchema } from "#app/features/orders/booking.schema.ts";
import { orderIntents } from "#app/features/orders/order.rules.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { orderDetailsRecord, stepRefusalText, toOrderDetails } from "./order-records.ts";
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
      "Sellers hand over, and can let a buyer who cancelled book again. Buyers receive. Both can undo that for 10 minutes, once. The side that’s waiting can extend the time once. Both sides can cancel until the handover; after that, only administrators, with a reason that both sides read. Repeating a step you’ve taken succeeds and changes nothing. Handing over again in another way corrects how you did, until it’s marked as received: what you leave out stays as it is, and a blank tracking number removes it.",
    access: "signed in",
    params: byId,
    body: handoverSchema.safeExtend({ step: z.enum(orderIntents), ...cancellationSchema.partial().shape }),
    example: { step: "hand over", handover: "shipped", parcelService: "UPS", trackingNumber: "1Z 999 AA1" },
    mutation: "advance order",
    response: modifiedSchema,
    errors: {
      404: "No such booking, or it isn’t yours.",
      409: "The booking isn’t at the stage before this step, or the step isn’t yours to take.",
    },
    async handle({ context, viewer, params, body }) {
      const { step, reason, ...handover } = body;
      const { refusal } = await handleOrderIntent(context.db, viewer, params.id, step, { handover, reason });
      if (!refusal) return modifiedResponse(1);
      return refusal === "not found"
        ? problem(404, "No such booking.", unmodifiedFields)
        : problem(409, stepRefusalText(refusal), unmodifiedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
