import { z } from "zod";
import { hasRole } from "#app/features/accounts/account-access.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byEmail } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "Check whether a user is a seller",
    description:
      "Always false, unless it’s your own address, or you’re an administrator and use no personal access token.",
    access: "anyone",
    params: byEmail,
    response: z.object({ isSeller: z.boolean() }),
    handle: async ({ context, viewer, params }) =>
      Response.json({ isSeller: await hasRole(context.db, viewer, params.email, "Seller") }),
  }),
});

export const loader = route.loader;
export const action = route.action;
