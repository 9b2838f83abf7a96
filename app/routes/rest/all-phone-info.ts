import { z } from "zod";
import { sellingsAfter } from "#app/features/phones/sellings.server.ts";
import { accountInQuery, ownListQuery } from "./account-in-query.server.ts";
import { call, door } from "./door.server.ts";
import { listAnswer } from "./list.server.ts";
import { listingRecord, toListing } from "./records.ts";

export const loader = door({
  GET: call({
    subject: "Listings",
    summary: "A seller's own listings",
    who: "signed in",
    query: ownListQuery,
    answer: z.array(listingRecord),
    paged: true,
    async make({ request, context, viewer, query }) {
      const sellerId = await accountInQuery(context, viewer, query.email);
      const read = sellerId ? sellingsAfter.bind(null, context.db, sellerId) : async () => [];
      return listAnswer(request, query, { read, record: toListing });
    },
  }),
});
