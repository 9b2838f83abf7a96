import { z } from "zod";
import { hasRole } from "#app/features/accounts/account-access.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byEmail } from "./records.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "Whether a user is a seller",
    description: "True only for the caller's own email address, or for an administrator as the caller.",
    access: "anyone",
    params: byEmail,
    response: z.object({ isSeller: z.boolean() }),
    handle: async ({ context, viewer, params }) =>
      Response.json({ isSeller: await hasRole(context.db, viewer, params.email, "Seller") }),
  }),
});

export const loader = route.loader;
export const action = route.action;
