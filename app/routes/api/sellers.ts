import { z } from "zod";
import { selectUsers } from "#app/features/administration/users.server.ts";
import { sellerRecord, toSeller } from "./account-records.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "List all sellers",
    access: "verify sellers",
    query: pageQuery,
    response: z.array(sellerRecord),
    paginated: true,
    handle: ({ request, context, query }) =>
      listResponse(request, query, { read: selectUsers.bind(null, context.db, "Seller"), record: toSeller }),
  }),
});

export const loader = route.loader;
export const action = route.action;
