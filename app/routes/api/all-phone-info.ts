import { z } from "zod";
import { selectSellings } from "#app/features/listings/sellings.server.ts";
import { accountInQuery, ownListQuery } from "./account-in-query.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse } from "./list.server.ts";
import { listingRecord, toListing } from "./listing-records.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Listings",
    summary: "List your listings",
    access: "signed in",
    query: ownListQuery,
    response: z.array(listingRecord),
    paginated: true,
    async handle({ request, context, viewer, query }) {
      const sellerId = await accountInQuery(context, viewer, query.email);
      const read = sellerId ? selectSellings.bind(null, context.db, sellerId) : async () => [];
      return listResponse(request, query, { read, record: toListing });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
