import { apiDeliverySchema } from "#app/features/orders/booking.schema.ts";
import { orderRefusals } from "#app/features/orders/order.rules.ts";
import { changeDelivery } from "#app/features/orders/order-steps.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, modifiedResponse, modifiedSchema, unmodifiedFields } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Bookings",
    summary: "Change where a booking is sent",
    description:
      "Changes your booking’s address and phone number, until the handover. A field you leave out stays as it is.",
    access: "signed in",
    params: byId,
    body: apiDeliverySchema,
    example: { buyerAddress: "1 Quay Street, Port Town", phone: "555 0100" },
    mutation: "change delivery",
    response: modifiedSchema,
    errors: {
      404: "No such booking, or it isn’t yours.",
      409: "The device has been handed over, or the booking is cancelled.",
    },
    async handle({ context, viewer, params, body }) {
      const delivery = { address: body.buyerAddress, phone: body.phone };
      const { refusal, modifiedCount } = await changeDelivery(context.db, viewer, params.id, delivery);
      if (!refusal) return modifiedResponse(modifiedCount);
      return refusal === "not found"
        ? problem(404, "No such booking.", unmodifiedFields)
        : problem(409, orderRefusals[refusal], unmodifiedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
