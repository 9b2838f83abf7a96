import { z } from "zod";
import { forbidden, issueTokenFor } from "#app/auth/api-client.server.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import { emailInQuery } from "./account-in-query.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "A bearer token for the logged-in user",
    description:
      "Valid for one hour at most, and only while the session lasts. An expired token does not stand in the way of the session cookie.",
    access: "signed in",
    needsSession: true,
    renewsToken: true,
    query: z.object({
      email: emailInQuery("email is required").describe("The caller’s own email address."),
    }),
    response: z.object({ accessToken: z.string() }),
    async handle({ context, viewer, sessionId, query }) {
      if (!sessionId || !isSameEmail(query.email, viewer.email)) return forbidden();
      return Response.json({ accessToken: await issueTokenFor(context, { viewer, sessionId }) });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
