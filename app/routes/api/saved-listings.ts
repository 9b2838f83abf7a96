import { z } from "zod";
import { saveRefusals } from "#app/features/saved-listings/saved-listing.rules.ts";
import {
  saveListing,
  selectSaved,
  unsaveListing,
} from "#app/features/saved-listings/saved-listings.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import { savedListingRecord, toSavedListing } from "./listing-records.ts";
import {
  deletedResponse,
  deletedSchema,
  modifiedCountSchema,
  modifiedResponse,
  nothingDeleted,
  unmodifiedFields,
} from "./results.ts";

const params = z.object({ phoneId: z.string() });

const routes = defineApiRoutes({
  "/saved": {
    GET: operation({
      tag: "Saved listings",
      summary: "List your saved listings",
      description: "Last saved first.",
      access: "signed in",
      query: listQuerySchema,
      response: z.array(savedListingRecord),
      paginated: true,
      handle: ({ request, context, viewer, query }) =>
        listResponse(request, query, {
          read: (cursor, limit) => selectSaved(context.db, viewer, cursor, limit),
          record: toSavedListing,
        }),
    }),
  },
  "/saved/:phoneId": {
    PUT: operation({
      tag: "Saved listings",
      summary: "Save a listing",
      description: "We’ll notify you when its price drops, when it’s gone and when it’s back.",
      access: "signed in",
      params,
      mutation: "save listing",
      response: modifiedCountSchema,
      errors: { 404: "No such listing.", 409: "The listing is sold or your own." },
      async handle({ context, viewer, params }) {
        const outcome = await saveListing(context.db, viewer, params.phoneId);
        if (outcome === "saved" || outcome === "already saved") {
          return modifiedResponse(outcome === "saved" ? 1 : 0);
        }
        return problemDetails(
          outcome === "unknown listing" ? 404 : 409,
          saveRefusals[outcome],
          unmodifiedFields,
        );
      },
    }),
    DELETE: operation({
      tag: "Saved listings",
      summary: "Unsave a listing",
      access: "signed in",
      params,
      mutation: "save listing",
      response: deletedSchema,
      errors: { 404: "You haven’t saved this listing." },
      async handle({ context, viewer, params }) {
        const wasSaved = await unsaveListing(context.db, viewer, params.phoneId);
        return wasSaved
          ? deletedResponse()
          : problemDetails(404, "You haven’t saved this listing.", nothingDeleted);
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
