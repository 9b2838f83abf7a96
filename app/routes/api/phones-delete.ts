import { removalRefusals, removePhone } from "#app/features/listings/listing-removal.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, deletedResponse, deletedSchema, undeletedFields } from "./results.ts";

const route = defineApiRoute({
  DELETE: operation({
    tag: "Listings",
    summary: "Delete a listing",
    description:
      "Sellers can delete their own listings, administrators any. A reserved listing can’t be deleted.",
    access: "signed in",
    mutation: "delete listing",
    params: byId,
    response: deletedSchema,
    errors: { 404: "No such listing, or it isn’t yours.", 409: "The listing is reserved." },
    async handle({ context, viewer, params }) {
      const { refusal } = await removePhone(context.db, viewer, params.id);
      if (!refusal) return deletedResponse();
      return refusal === "not found"
        ? problem(404, "No such listing.", undeletedFields)
        : problem(409, removalRefusals[refusal], undeletedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
