import { z } from "zod";
import { usersAfter } from "#app/features/accounts/users.server.ts";
import { call, door } from "./door.server.ts";
import { listAnswer, pageQuery } from "./list.server.ts";
import { sellerRecord, toSeller } from "./records.ts";

export const loader = door({
  GET: call({
    subject: "Accounts",
    summary: "All sellers",
    who: "admin",
    query: pageQuery,
    answer: z.array(sellerRecord),
    paged: true,
    make: ({ request, context, query }) =>
      listAnswer(request, query, { read: usersAfter.bind(null, context.db, "Seller"), record: toSeller }),
  }),
});
