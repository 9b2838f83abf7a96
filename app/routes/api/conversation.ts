import { z } from "zod";
import { hasConversation, selectMessages } from "#app/features/messages/conversations.server.ts";
import { messageSchema } from "#app/features/messages/message.schema.ts";
import { sendMessage } from "#app/features/messages/send-message.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { messageRecord, sent, toMessage } from "./message-records.ts";
import { byId, sentResponse } from "./results.ts";

const noConversation = "No such conversation.";

const route = defineApiRoute({
  GET: operation({
    tag: "Messages",
    summary: "List a conversation’s messages",
    description: "Newest first. Nothing gets marked as read.",
    access: "signed in",
    params: byId,
    query: pageQuery,
    response: z.array(messageRecord),
    paginated: true,
    errors: { 404: "You have no such conversation." },
    async handle({ request, context, viewer, params, query }) {
      if (!(await hasConversation(context.db, viewer, params.id))) return problem(404, noConversation);
      return listResponse(request, query, {
        read: (cursor, limit) => selectMessages(context.db, viewer, params.id, cursor, limit),
        record: toMessage,
      });
    },
  }),
  POST: operation({
    tag: "Messages",
    summary: "Send a message in a conversation",
    access: "signed in",
    params: byId,
    body: messageSchema,
    example: { text: "Yes, it does." },
    mutation: "message",
    response: sent,
    errors: {
      404: "You have no such conversation.",
      409: "You can’t message the other person.",
    },
    async handle({ context, viewer, params, body, requestId }) {
      const outcome = await sendMessage(
        context.db,
        viewer,
        params.id,
        { ...body, formKey: requestId },
        context.environment,
      );
      return sentResponse(outcome, noConversation);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
