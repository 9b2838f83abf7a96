import { isReserved, removePhone } from "#app/features/phones/sellings.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { call, door } from "./door.server.ts";
import { byId, deleted, deletedAnswer, nothingDeleted } from "./records.ts";

export const loader = door({
  DELETE: call({
    subject: "Listings",
    summary: "Delete a listing",
    description: "One's own; administrators delete any. Not while it is reserved.",
    who: "signed in",
    params: byId,
    answer: deleted,
    refusals: { 404: "There is no such listing of the caller's.", 409: "It is reserved." },
    async make({ context, viewer, params }) {
      if (await removePhone(context.db, viewer, params.id)) return deletedAnswer();
      if (await isReserved(context.db, viewer, params.id)) {
        return problem(409, "This phone is reserved, so it cannot be deleted.", nothingDeleted);
      }
      return problem(404, "There is no such listing.", nothingDeleted);
    },
  }),
});
