import { blockOtherSide, unblockOtherSide } from "#app/features/messages/blocks.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const described = {
  tag: "Messages",
  access: "signed in",
  params: byId,
  mutation: "block",
  response: acknowledgedSchema,
  errors: { 404: "You have no such conversation." },
} as const;

const respond = (isOwn: boolean) => (isOwn ? acknowledgedResponse() : problem(404, "No such conversation."));

const route = defineApiRoute({
  PUT: operation({
    ...described,
    summary: "Block someone",
    description: "You can’t message each other anymore, in any conversation.",
    async handle({ context, viewer, params }) {
      return respond(await blockOtherSide(context.db, viewer, params.id));
    },
  }),
  DELETE: operation({
    ...described,
    summary: "Unblock someone",
    async handle({ context, viewer, params }) {
      return respond(await unblockOtherSide(context.db, viewer, params.id));
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
