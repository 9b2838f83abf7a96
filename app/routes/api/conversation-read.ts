import { z } from "zod";
import { markConversationAsRead } from "#app/features/messages/conversations.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { acknowledgedResponse, acknowledgedSchema, byId } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Messages",
    summary: "Mark messages as read",
    access: "signed in",
    params: byId,
    body: z.object({
      lastReadId: z.string().describe("The last message you’ve read. Newer ones stay unread."),
    }),
    example: { lastReadId: "MESSAGE" },
    mutation: "mark as read",
    response: acknowledgedSchema,
    errors: { 404: "You have no such conversation." },
    async handle({ context, viewer, params, body }) {
      const isOwn = await markConversationAsRead(context.db, viewer, params.id, body.lastReadId);
      return isOwn ? acknowledgedResponse() : problem(404, "No such conversation.");
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
