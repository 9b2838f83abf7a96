import { z } from "zod";
import { selectConversations } from "#app/features/messages/conversations.server.ts";
import { firstMessageSchema } from "#app/features/messages/message.schema.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { conversationRecord, sent, toConversation } from "./message-records.ts";
import { sentResponse } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Messages",
    summary: "List your conversations",
    description: "Newest message first. Nothing gets marked as read.",
    access: "signed in",
    query: pageQuery,
    response: z.array(conversationRecord),
    paginated: true,
    handle: ({ request, context, viewer, query }) =>
      listResponse(request, query, {
        read: (cursor, limit) => selectConversations(context.db, viewer, cursor, limit),
        record: toConversation,
      }),
  }),
  POST: operation({
    tag: "Messages",
    summary: "Message a seller, or the other side of a booking",
    description: "Starts a conversation, or continues the one you have.",
    access: "signed in",
    body: firstMessageSchema,
    example: { bookingId: "BOOKING", text: "When can I pick it up?" },
    mutation: "message",
    response: sent,
    errors: {
      404: "No such listing, or you have no such booking.",
      409: "The listing is sold or your own, or you can’t message the other person.",
    },
    async handle({ context, viewer, body, requestId }) {
      const { phoneId, bookingId = "", text } = body;
      const target = phoneId === undefined ? { order: bookingId } : { phone: phoneId };
      const outcome = await sendFirstMessage(
        context.db,
        viewer,
        target,
        { text, formKey: requestId },
        context.environment,
      );
      return sentResponse(outcome, "No such listing or booking.");
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
