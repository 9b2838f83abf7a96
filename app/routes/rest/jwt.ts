import { z } from "zod";
import { isSameAddress } from "#app/features/accounts/whose.server.ts";
import { addressInQuery } from "./account-in-query.server.ts";
import { forbidden, tokenFor } from "./caller.server.ts";
import { call, door } from "./door.server.ts";

export const loader = door({
  GET: call({
    subject: "Accounts",
    summary: "A bearer token for the signed-in user",
    description: "Lasts one hour, and no longer than the session it was asked for with.",
    who: "signed in",
    query: z.object({
      email: addressInQuery("email is required").describe("The caller's own address."),
    }),
    answer: z.object({ accessToken: z.string() }),
    async make({ context, viewer, sessionId, query }) {
      if (!isSameAddress(query.email, viewer.email)) return forbidden();
      return Response.json({ accessToken: await tokenFor(context, { viewer, sessionId }) });
    },
  }),
});
