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
    summary: "A booking with its history and what comes next",
    description: "For its buyer, its seller and administrators.",
    access: "signed in",
    params: byId,
    response: orderDetailsRecord,
    errors: { 404: "No such booking, or it isn’t the caller’s." },
    async handle({ context, viewer, params }) {
      const order = await findOrder(context.db, viewer, params.id);
      return order ? Response.json(toOrderDetails(order)) : problem(404, "No such booking.");
    },
  }),
  PUT: operation({
    tag: "Bookings",
    summary: "Take the next step of a booking",
    description:
      "Sellers hand over, and let a buyer who cancelled book again; buyers receive; the side that waits extends the time once. Buyers cancel until the handover, sellers until the receipt. A step that the caller has taken before succeeds again.",
    access: "signed in",
    params: byId,
    body: handoverSchema.safeExtend({ step: z.enum(orderIntents) }),
    example: { step: "hand over", handover: "shipped", parcelService: "UPS", trackingNumber: "1Z 999 AA1" },
    mutation: "advance order",
    response: modifiedSchema,
    errors: {
      404: "No such booking, or it isn’t the caller’s.",
      409: "The booking is not at the stage before this step, or the step is the other side’s.",
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
