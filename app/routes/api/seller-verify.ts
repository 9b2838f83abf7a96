import { verifySeller } from "#app/features/moderation/users.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, modified, modifiedResponse, nothingModified } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Accounts",
    summary: "Verify a seller",
    description: "modifiedCount is 0 when the seller was already verified.",
    access: "admin",
    needsSession: true,
    mutation: "verify seller",
    params: byId,
    response: modified,
    errors: { 404: "There is no such seller." },
    async handle({ context, viewer, params }) {
      const modifiedCount = await verifySeller(context.db, viewer, params.id);
      if (modifiedCount === null) return problem(404, "There is no such seller.", nothingModified);
      return modifiedResponse(modifiedCount);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
