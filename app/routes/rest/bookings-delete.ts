import { pastCancelling } from "#app/features/bookings/order.rules.ts";
import { isPastCancelling } from "#app/features/bookings/order-page.server.ts";
import { cancelOrder } from "#app/features/bookings/orders.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { call, door } from "./door.server.ts";
import { byId, deleted, deletedAnswer, nothingDeleted } from "./records.ts";

export const loader = door({
  DELETE: call({
    subject: "Bookings",
    summary: "Cancel a booking",
    description:
      "One's own until it is handed over; administrators cancel any until it is received. The device is available again.",
    who: "signed in",
    params: byId,
    answer: deleted,
    refusals: { 404: "There is no such booking of the caller's.", 409: "It has been handed over." },
    async make({ context, viewer, params }) {
      const removalId = await cancelOrder(context.db, viewer, params.id);
      if (removalId) return deletedAnswer();
      if (await isPastCancelling(context.db, viewer, params.id)) {
        return problem(409, pastCancelling, nothingDeleted);
      }
      return problem(404, "There is no such booking.", nothingDeleted);
    },
  }),
});
