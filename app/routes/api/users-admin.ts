import { z } from "zod";
import { hasRole } from "#app/features/accounts/account-access.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byEmail } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "Check whether a user is an administrator",
    description:
      "Always false, unless it’s your own address, or you’re an administrator and use no personal access token.",
    access: "anyone",
    params: byEmail,
    response: z.object({ isAdmin: z.boolean() }),
    handle: async ({ context, viewer, params }) =>
      Response.json({ isAdmin: await hasRole(context.db, viewer, params.email, "Admin") }),
  }),
});

export const loader = route.loader;
export const action = route.action;
