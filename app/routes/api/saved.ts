import { z } from "zod";
import { selectSaved } from "#app/features/saved-listings/saved-listings.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { savedListingRecord, toSavedListing } from "./listing-records.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Saved listings",
    summary: "List your saved listings",
    description: "Last saved first.",
    access: "signed in",
    query: pageQuery,
    response: z.array(savedListingRecord),
    paginated: true,
    handle: ({ request, context, viewer, query }) =>
      listResponse(request, query, {
        read: (cursor, limit) => selectSaved(context.db, viewer, cursor, limit),
        record: toSavedListing,
      }),
  }),
});

export const loader = route.loader;
export const action = route.action;
