import { verifySeller } from "#app/features/administration/user-actions.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, modifiedResponse, modifiedSchema, unmodifiedFields } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Accounts",
    summary: "Verify a seller",
    description: "`modifiedCount` is 0 if the seller was already verified.",
    access: "verify sellers",
    mutation: "verify seller",
    params: byId,
    response: modifiedSchema,
    errors: { 404: "No such seller." },
    async handle({ context, viewer, params }) {
      const { refusal } = await verifySeller(context.db, viewer, params.id);
      if (refusal === "not found") return problem(404, "No such seller.", unmodifiedFields);
      return modifiedResponse(refusal ? 0 : 1);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
