import { removeUser } from "#app/features/accounts/users.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { call, door } from "./door.server.ts";
import { byId, deleted, deletedAnswer, nothingDeleted } from "./records.ts";

export const loader = door({
  DELETE: call({
    subject: "Accounts",
    summary: "Delete a user",
    description: "Their sessions end at once, and what nobody has reserved goes with them.",
    who: "admin",
    params: byId,
    answer: deleted,
    refusals: { 404: "There is no such user.", 409: "It is the caller." },
    async make({ context, viewer, params }) {
      if (params.id === viewer.id) return problem(409, "You cannot delete yourself.", nothingDeleted);
      const removalId = await removeUser(context.db, viewer, params.id);
      return removalId ? deletedAnswer() : problem(404, "There is no such user.", nothingDeleted);
    },
  }),
});
