import { z } from "zod";
import { categoryByKey } from "#app/features/catalog/category.rules.ts";
import { understandWithCatalog } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { nothingToSave, searchLimitReached } from "#app/features/saved-searches/saved-search.rules.ts";
import { apiSearchSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import { listSavedSearches, saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { searchRecord, toSearch } from "./listing-records.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Searches",
    summary: "List your saved searches",
    description: "Newest first.",
    access: "signed in",
    response: z.array(searchRecord),
    async handle({ context, viewer }) {
      return Response.json((await listSavedSearches(context.db, viewer)).map(toSearch));
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
      return problem(409, outcome === "limit reached" ? searchLimitReached : nothingToSave);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
