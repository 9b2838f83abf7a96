import { z } from "zod";
import { apiBookingSchema, bookingTargetOf } from "#app/features/orders/booking.schema.ts";
import { bookPhone } from "#app/features/orders/booking.server.ts";
import { bookingRefusalText } from "#app/features/orders/booking-refusal.ts";
import { selectOrders } from "#app/features/orders/orders.server.ts";
import { rebookingHours } from "#app/market.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { accountInQuery, ownListQuery } from "./account-in-query.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse } from "./list.server.ts";
import { orderRecord, toOrder } from "./order-records.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Bookings",
    summary: "List your bookings",
    description: "Cancelled bookings are left out.",
    access: "signed in",
    query: ownListQuery.extend({
      role: z
        .enum(["buyer", "seller"])
        .default("buyer")
        .describe("“seller” lists bookings of your listings."),
    }),
    response: z.array(orderRecord),
    paginated: true,
    async handle({ request, context, viewer, query }) {
      const userId = await accountInQuery(context, viewer, query.email);
      const read = userId ? selectOrders.bind(null, context.db, query.role, userId) : async () => [];
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
      409: `The listing is reserved, sold or your own, none matches, the price has changed, you cancelled it in the last ${rebookingHours} hours and the seller hasn’t let you book again, you didn’t pay for an earlier one and the seller hasn’t let you book again, one of you has blocked the other, or you’ve reached the limit for open reservations.`,
    },
    async handle({ context, viewer, body, requestId }) {
      const details = { address: body.buyerAddress, phone: body.phone };
      const { refusal, orderId } = await bookPhone(context.db, viewer, bookingTargetOf(body), details, {
        formKey: requestId,
        shownCents: body.phoneId === undefined ? undefined : body.price,
        limits: context.environment,
      });
      if (!refusal) return insertedResponse(orderId);
      return problem(refusal.reason === "unknown phone" ? 404 : 409, bookingRefusalText(refusal));
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
