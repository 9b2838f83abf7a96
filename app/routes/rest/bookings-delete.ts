import { cancelOrder } from "#app/features/bookings/orders.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { call, door } from "./door.server.ts";
import { byId, deleted, deletedAnswer, nothingDeleted } from "./records.ts";

export const loader = door({
  DELETE: call({
    subject: "Bookings",
    summary: "Cancel a booking",
    description: "One's own; administrators cancel any. The device is available again.",
    who: "signed in",
    params: byId,
    answer: deleted,
    refusals: { 404: "There is no such booking of the caller's." },
    async make({ context, viewer, params }) {
      const removalId = await cancelOrder(context.db, viewer, params.id);
      return removalId ? deletedAnswer() : problem(404, "There is no such booking.", nothingDeleted);
    },
  }),
});
export const action = loader;
