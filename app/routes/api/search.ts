import { searchSettingsSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import { changeSavedSearch, deleteSavedSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import {
  acknowledgedResponse,
  acknowledgedSchema,
  byId,
  deletedResponse,
  deletedSchema,
  undeletedFields,
} from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Searches",
    summary: "Change a saved search",
    access: "signed in",
    params: byId,
    body: searchSettingsSchema,
    example: { name: "Cheap Pixels", frequency: "never" },
    mutation: "change searches",
    response: acknowledgedSchema,
    errors: { 404: "You have no such search." },
    async handle({ context, viewer, params, body }) {
      const changed = await changeSavedSearch(context.db, viewer, params.id, body);
      return changed ? acknowledgedResponse() : problem(404, "No such search.");
    },
  }),
  DELETE: operation({
    tag: "Searches",
    summary: "Delete a saved search",
    access: "signed in",
    params: byId,
    mutation: "change searches",
    response: deletedSchema,
    errors: { 404: "You have no such search." },
    async handle({ context, viewer, params }) {
      const wasDeleted = await deleteSavedSearch(context.db, viewer, params.id);
      return wasDeleted ? deletedResponse() : problem(404, "No such search.", undeletedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
