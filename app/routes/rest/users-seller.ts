import { z } from "zod";
import { hasRole } from "#app/features/accounts/whose.server.ts";
import { call, door } from "./door.server.ts";
import { byEmail } from "./records.ts";

export const loader = door({
  GET: call({
    subject: "Accounts",
    summary: "Whether a user is a seller",
    description: "True only for the caller's own address, or when an administrator asks.",
    who: "anyone",
    params: byEmail,
    answer: z.object({ isSeller: z.boolean() }),
    make: async ({ context, viewer, params }) =>
      Response.json({ isSeller: await hasRole(context.db, viewer, params.email, "Seller") }),
  }),
});
