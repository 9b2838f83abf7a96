import { deleteAddress } from "#app/features/orders/saved-addresses.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, deletedResponse, deletedSchema, undeletedFields } from "./results.ts";

const route = defineApiRoute({
  DELETE: operation({
    tag: "Addresses",
    summary: "Delete a saved address",
    description: "Bookings sent there keep it.",
    access: "signed in",
    params: byId,
    mutation: "change account",
    response: deletedSchema,
    errors: { 404: "You have no such address." },
    async handle({ context, viewer, params }) {
      const wasDeleted = await deleteAddress(context.db, viewer, params.id);
      return wasDeleted ? deletedResponse() : problem(404, "There is no such address.", undeletedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
