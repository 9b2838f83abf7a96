import { z } from "zod";
import {
  apiBookingSchema,
  apiDeliverySchema,
  apiHandoverSchema,
  bookingTargetOf,
  cancellationSchema,
  orderStageSchema,
} from "#app/features/orders/booking.schema.ts";
import { bookListing } from "#app/features/orders/booking.server.ts";
import { bookingRefusalText } from "#app/features/orders/booking-refusal.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { cancelOrder, changeDelivery } from "#app/features/orders/order-steps.server.ts";
import { type OrderRefusal, orderIntents, orderRefusals } from "#app/features/orders/order-texts.ts";
import { hasProvider } from "#app/features/payments/provider.ts";
import { exampleParcel } from "#app/parcel-services.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { rebookingHours } from "#app/terms.ts";
import { accountInQuery, ownListQuery } from "./account-in-query.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listResponse } from "./list.server.ts";
import {
  orderDetailsRecord,
  orderRecord,
  stepRefusalText,
  toOrder,
  toOrderDetails,
} from "./order-records.ts";
import {
  deletedResponse,
  deletedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
  modifiedCountSchema,
  modifiedResponse,
  nothingDeleted,
  unmodifiedFields,
} from "./results.ts";

/** Answered by 404: a cancelled booking counts as deleted. */
const goneRefusals: OrderRefusal[] = ["not found", "done before", "cancelled"];

const routes = defineApiRoutes({
  "/bookings": {
    GET: operation({
      tag: "Bookings",
      summary: "List your bookings",
      description:
        "Cancelled bookings are left out. `GET /bookings/steps/{id}` has one’s history and next steps.",
      access: "signed in",
      query: ownListQuery.extend({
        role: z
          .enum(["buyer", "seller"])
          .default("buyer")
          .describe("“seller” lists bookings of your listings."),
        stage: orderStageSchema
          .optional()
          .describe(
            "Only bookings at this stage. Those that wait for payment are `reserved`; their `state` is `to pay`.",
          ),
      }),
      response: z.array(orderRecord),
      paginated: true,
      async handle({ request, context, viewer, query }) {
        const userId = await accountInQuery(context, viewer, query.email);
        const { role: side, stage } = query;
        const { selectOrders } = await import("#app/features/orders/own-orders.server.ts");
        const read = userId ? selectOrders.bind(null, context.db, { side, userId, stage }) : async () => [];
        return listResponse(request, query, { read, record: toOrder });
      },
    }),
    POST: operation({
      tag: "Bookings",
      summary: "Book a device",
      description:
        "`phoneId` says which listing. Without it, you book the oldest available one that matches `productName`, `ram`, `rom` and `price`. With it, a `price` that’s no longer yours (the listing’s, or an accepted offer’s) gets 409 with both prices. The order’s price and buyer always come from the listing and your account.",
      access: "signed in",
      body: apiBookingSchema,
      example: { phoneId: "LISTING", buyerAddress: "1 Quay Street, Port Town", phone: "555 0100" },
      mutation: "book",
      response: insertedSchema,
      errors: {
        404: "No such listing.",
        409: `The listing is reserved, sold or your own, none matches, the price has changed, you cancelled it or didn’t pay for it in the last ${rebookingHours} hours and the seller hasn’t let you book again, you didn’t pay for an earlier one and the seller hasn’t let you book again, one of you has blocked the other, or you’ve reached the limit for open reservations.`,
      },
      async handle({ context, viewer, body, requestId }) {
        const details = { address: body.buyerAddress, phone: body.phone };
        const { refusal, orderId } = await bookListing(context.db, viewer, bookingTargetOf(body), details, {
          formKey: requestId,
          shownCents: body.phoneId === undefined ? undefined : body.price,
          limits: context.environment,
          hasProvider: hasProvider(context.environment),
        });
        if (!refusal) return insertedResponse(orderId);
        return problemDetails(refusal.reason === "unknown phone" ? 404 : 409, bookingRefusalText(refusal));
      },
    }),
  },
  "/bookings/delete/:id": {
    DELETE: operation({
      tag: "Bookings",
      summary: "Cancel a booking",
      description:
        "Buyers and administrators can cancel until the handover. After that, administrators cancel by `PUT /bookings/steps/{id}`, with a reason.",
      access: "signed in",
      mutation: "cancel order",
      params: idParams,
      response: deletedSchema,
      errors: {
        404: "No such booking, or it isn’t yours.",
        409: "The device has been handed over, or a problem is open.",
      },
      async handle({ context, viewer, params }) {
        const { refusal } = await cancelOrder(context.db, viewer, params.id);
        if (!refusal) return deletedResponse();
        return goneRefusals.includes(refusal)
          ? problemDetails(404, "No such booking.", nothingDeleted)
          : problemDetails(409, stepRefusalText(refusal), nothingDeleted);
      },
    }),
  },
  "/bookings/steps/:id": {
    GET: operation({
      tag: "Bookings",
      summary: "Get a booking, with its history and next steps",
      description: "For the buyer, the seller and administrators.",
      access: "signed in",
      params: idParams,
      response: orderDetailsRecord,
      errors: { 404: "No such booking, or it isn’t yours." },
      async handle({ context, viewer, params }) {
        const order = await findOrder(context.db, viewer, params.id);
        return order ? Response.json(toOrderDetails(order)) : problemDetails(404, "No such booking.");
      },
    }),
    PUT: operation({
      tag: "Bookings",
      summary: "Take a booking’s next step",
      description:
        "Sellers hand over, and can let a buyer who cancelled book again. Buyers receive. Both can undo that for 10 minutes, once. The side that’s waiting can extend the time once. Both sides can cancel until the handover; after that, only administrators, with a reason that both sides read. Repeating a step you’ve taken succeeds and changes nothing. Handing over again in another way corrects how you did, until it’s marked as received: what you leave out stays as it is, and a blank tracking number removes it. With “given back”, the seller says that they have the device back after a problem has ended a protected booking: the buyer is paid back at once.",
      access: "signed in",
      params: idParams,
      body: apiHandoverSchema.extend({ step: z.enum(orderIntents), ...cancellationSchema.partial().shape }),
      example: { step: "hand over", handover: "shipped", ...exampleParcel },
      mutation: "advance order",
      response: modifiedCountSchema,
      errors: {
        404: "No such booking, or it isn’t yours.",
        409: "The booking isn’t at the stage before this step, or the step isn’t yours to take.",
      },
      async handle({ context, viewer, params, body }) {
        const { step, reason, ...handover } = body;
        const { refusal } = await handleOrderIntent(context.db, viewer, params.id, step, {
          handover,
          reason,
        });
        if (!refusal) return modifiedResponse(1);
        if (refusal === "not found") return problemDetails(404, "No such booking.", unmodifiedFields);
        return refusal === "no parcel service"
          ? problemDetails(422, orderRefusals[refusal], {
              ...unmodifiedFields,
              errors: [{ detail: orderRefusals[refusal], pointer: "#/parcelService" }],
            })
          : problemDetails(409, stepRefusalText(refusal), unmodifiedFields);
      },
    }),
  },
  "/bookings/delivery/:id": {
    PUT: operation({
      tag: "Bookings",
      summary: "Change where a booking is sent",
      description:
        "Changes your booking’s address and phone number, until the handover. A field you leave out stays as it is.",
      access: "signed in",
      params: idParams,
      body: apiDeliverySchema,
      example: { buyerAddress: "1 Quay Street, Port Town", phone: "555 0100" },
      mutation: "change delivery",
      response: modifiedCountSchema,
      errors: {
        404: "No such booking, or it isn’t yours.",
        409: "The device has been handed over, or the booking is cancelled.",
      },
      async handle({ context, viewer, params, body }) {
        const delivery = { address: body.buyerAddress, phone: body.phone };
        const { refusal, modifiedCount } = await changeDelivery(context.db, viewer, params.id, delivery);
        if (!refusal) return modifiedResponse(modifiedCount);
        return refusal === "not found"
          ? problemDetails(404, "No such booking.", unmodifiedFields)
          : problemDetails(409, orderRefusals[refusal], unmodifiedFields);
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
