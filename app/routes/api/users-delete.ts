import { removeUser } from "#app/features/administration/user-actions.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, deletedResponse, deletedSchema, undeletedFields } from "./results.ts";

const route = defineApiRoute({
  DELETE: operation({
    tag: "Accounts",
    summary: "Delete a user",
    description: "Logs them out everywhere and removes their listings, except reserved ones.",
    access: "manage users",
    mutation: "delete user",
    params: byId,
    response: deletedSchema,
    errors: { 404: "No such user.", 409: "You can’t delete yourself." },
    async handle({ context, viewer, params }) {
      if (params.id === viewer.id) return problem(409, "You can’t delete yourself.", undeletedFields);
      const removalId = await removeUser(context.db, viewer, params.id);
      return removalId ? deletedResponse() : problem(404, "No such user.", undeletedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
