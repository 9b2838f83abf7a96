import { z } from "zod";
import { refusalOf } from "#app/features/bookings/booking.rules.ts";
import { bookingCallSchema, wantedIn } from "#app/features/bookings/booking.schema.ts";
import { bookPhone } from "#app/features/bookings/bookings.server.ts";
import { ordersAfter } from "#app/features/bookings/orders.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { accountInQuery, ownListQuery } from "./account-in-query.server.ts";
import { call, door } from "./door.server.ts";
import { listAnswer } from "./list.server.ts";
import { inserted, insertedAnswer, orderRecord, toOrder } from "./records.ts";

export const loader = door({
  GET: call({
    subject: "Bookings",
    summary: "A buyer's own bookings",
    who: "signed in",
    query: ownListQuery,
    answer: z.array(orderRecord),
    paged: true,
    async make({ request, context, viewer, query }) {
      const buyerId = await accountInQuery(context, viewer, query.email);
      const read = buyerId ? ordersAfter.bind(null, context.db, buyerId) : async () => [];
      return listAnswer(request, query, { read, record: toOrder });
    },
  }),
  POST: call({
    subject: "Bookings",
    summary: "Book a device",
    description:
      "phoneId names the listing. Without it the device that fits productName, ram, rom and price and has been offered longest is taken. Price and buyer of the order come from the listing and the account.",
    who: "signed in",
    body: bookingCallSchema,
    limit: "BOOKING_LIMIT",
    answer: inserted,
    refusals: {
      404: "There is no such listing.",
      409: "It is reserved, sold, the caller's own, or none fits.",
    },
    async make({ context, viewer, body, name }) {
      const request = { address: body.buyerAddress, phone: body.phone };
      const outcome = await bookPhone(context.db, viewer, wantedIn(body), request, name);
      if (!outcome.refusal) return insertedAnswer(outcome.orderId);
      return problem(outcome.refusal === "unknown phone" ? 404 : 409, refusalOf(outcome.refusal));
    },
  }),
});
