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
    summary: "The caller’s own bookings",
    description: "Without cancelled ones.",
    access: "signed in",
    query: ownListQuery.extend({
      role: z
        .enum(["buyer", "seller"])
        .default("buyer")
        .describe("“seller” lists the bookings of the caller’s listings."),
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
      "phoneId names the listing. Without it, the oldest available listing that matches productName, ram, rom and price is booked. With it, a price is compared with the caller’s (that of the listing, or of an accepted offer), and 409 names both if it has changed. Price and buyer of the order come from the listing and the account.",
    access: "signed in",
    body: apiBookingSchema,
    example: { phoneId: "LISTING", buyerAddress: "1 Quay Street, Port Town", phone: "555 0100" },
    mutation: "book",
    response: insertedSchema,
    errors: {
      404: "No such listing.",
      409: `The listing is reserved, sold or the caller’s own, none matches, its price has changed, the caller cancelled it less than ${rebookingHours} hours ago and the seller has not allowed another booking, or the caller has the most open reservations that an account may have.`,
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
