import { z } from "zod";
import { forbidden, issueTokenFor } from "#app/auth/api-client.server.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import { emailInQuery } from "./account-in-query.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "Get a bearer token",
    description:
      "Valid for an hour, or until your session ends. Your session cookie asks for it: a bearer token can’t renew itself, and an expired one beside the cookie is fine.",
    access: "signed in",
    needsSession: true,
    byCookie: true,
    query: z.object({
      email: emailInQuery("email is required").describe("Your own email address."),
    }),
    response: z.object({ accessToken: z.string() }),
    async handle({ context, viewer, sessionId, query }) {
      if (!sessionId || !isSameEmail(query.email, viewer.email)) return forbidden(viewer);
      return Response.json({ accessToken: await issueTokenFor(context, { viewer, sessionId }) });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
