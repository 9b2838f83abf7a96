import { z } from "zod";
import { categoryByKey } from "#app/features/catalog/category.rules.ts";
import { understandWithCatalog } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { nothingToSave, searchLimitReached } from "#app/features/saved-searches/saved-search.rules.ts";
import { apiSearchSchema, searchSettingsSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  saveSearch,
} from "#app/features/saved-searches/saved-searches.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { searchRecord, toSavedSearch } from "./listing-records.ts";
import {
  acknowledgedResponse,
  acknowledgedSchema,
  deletedResponse,
  deletedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
  nothingDeleted,
} from "./results.ts";

const routes = defineApiRoutes({
  "/searches": {
    GET: operation({
      tag: "Searches",
      summary: "List your saved searches",
      description: "Newest first.",
      access: "signed in",
      response: z.array(searchRecord),
      async handle({ context, viewer }) {
        return Response.json((await listSavedSearches(context.db, viewer)).map(toSavedSearch));
      },
    }),
    POST: operation({
      tag: "Searches",
      summary: "Save a search",
      description:
        "We’ll notify you about new matches and price drops. If you’ve saved the search before, it gets the new name and frequency, and keeps its id.",
      access: "signed in",
      body: apiSearchSchema,
      example: { name: "Cheap Pixels", query: "q=pixel&to=300", frequency: "daily" },
      mutation: "change searches",
      response: insertedSchema,
      errors: { 409: "The search has no words and no filters, or you already have 50 saved searches." },
      async handle({ context, viewer, body: { list, query, ...settings } }) {
        const asked = parseSearchQuery(new URLSearchParams(query));
        const search = await understandWithCatalog(context.db, categoryByKey(list), asked);
        const outcome = await saveSearch(context.db, viewer, settings, search);
        if (typeof outcome === "object") return insertedResponse(outcome.id);
        return problemDetails(409, outcome === "limit reached" ? searchLimitReached : nothingToSave);
      },
    }),
  },
  "/searches/:id": {
    PUT: operation({
      tag: "Searches",
      summary: "Change a saved search",
      access: "signed in",
      params: idParams,
      body: searchSettingsSchema,
      example: { name: "Cheap Pixels", frequency: "never" },
      mutation: "change searches",
      response: acknowledgedSchema,
      errors: { 404: "You have no such search." },
      async handle({ context, viewer, params, body }) {
        const changed = await changeSavedSearch(context.db, viewer, params.id, body);
        return changed ? acknowledgedResponse() : problemDetails(404, "No such search.");
      },
    }),
    DELETE: operation({
      tag: "Searches",
      summary: "Delete a saved search",
      access: "signed in",
      params: idParams,
      mutation: "change searches",
      response: deletedSchema,
      errors: { 404: "You have no such search." },
      async handle({ context, viewer, params }) {
        const wasDeleted = await deleteSavedSearch(context.db, viewer, params.id);
        return wasDeleted ? deletedResponse() : problemDetails(404, "No such search.", nothingDeleted);
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
