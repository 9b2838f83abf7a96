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
    summary: "The caller’s conversations",
    description: "The one with the newest message first. Reading them marks nothing as read.",
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
    summary: "Ask the seller of a listing, or write to the other side of a booking",
    description: "Starts a conversation, or continues the existing one.",
    access: "signed in",
    body: firstMessageSchema,
    example: { bookingId: "BOOKING", text: "When can I pick it up?" },
    mutation: "message",
    response: sent,
    errors: {
      404: "No such listing, or the caller has no such booking.",
      409: "The listing is sold or the caller’s own, or the other person cannot be written to.",
    },
    async handle({ context, viewer, body, requestId }) {
      const { phoneId, bookingId = "", text } = body;
      const target = phoneId === undefined ? { order: bookingId } : { phone: phoneId };
      const outcome = await sendFirstMessage(context.db, viewer, target, { text, formKey: requestId });
      return sentResponse(outcome, "No such listing or booking.");
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
