import { z } from "zod";
import { verifySeller } from "#app/features/moderation/users.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId } from "./records.ts";

const verified = z.object({
  acknowledged: z.literal(true),
  modifiedCount: z.int().min(0).max(1).describe("0 when the seller was already verified."),
});

const route = defineApiRoute({
  PUT: operation({
    tag: "Accounts",
    summary: "Verify a seller",
    access: "admin",
    mutation: "verify seller",
    params: byId,
    response: verified,
    errors: { 404: "There is no such seller." },
    async handle({ context, viewer, params }) {
      const modifiedCount = await verifySeller(context.db, viewer, params.id);
      if (modifiedCount === null) return problem(404, "There is no such seller.", { modifiedCount: 0 });
      return Response.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof verified>);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
