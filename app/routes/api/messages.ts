import { z } from "zod";
import { blockOtherSide, unblockOtherSide } from "#app/features/messages/blocks.server.ts";
import {
  findMessages,
  hasConversation,
  markConversationAsRead,
  selectConversations,
} from "#app/features/messages/conversations.server.ts";
import { apiFirstMessageSchema, apiMessageSchema } from "#app/features/messages/message.schema.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { ownHostOf } from "#app/server/http/request.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import { conversationRecord, messageRecord, sent, toConversation, toMessage } from "./message-records.ts";
import { acknowledgedResponse, acknowledgedSchema, idParams, messageResponse } from "./results.ts";

const noConversation = "No such conversation.";

const describedBlock = {
  tag: "Messages",
  access: "signed in",
  params: idParams,
  mutation: "block",
  response: acknowledgedSchema,
  errors: { 404: "You have no such conversation." },
} as const;

const blockResponse = (isOwn: boolean) =>
  isOwn ? acknowledgedResponse() : problemDetails(404, noConversation);

const routes = defineApiRoutes({
  "/messages": {
    GET: operation({
      tag: "Messages",
      summary: "List your conversations",
      description: "Newest message first. Nothing gets marked as read.",
      access: "signed in",
      query: listQuerySchema,
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
      body: apiFirstMessageSchema,
      example: { bookingId: "BOOKING", text: "When can I pick it up?" },
      mutation: "message",
      response: sent,
      errors: {
        404: "No such listing, or you have no such booking.",
        409: "The listing is sold or your own, or you can’t message the other person. Or the text has what people are often robbed with: `asked` says what. Change it, or send it again with `confirmed`.",
      },
      async handle({ request, context, viewer, body, requestId }) {
        const { phoneId, bookingId = "", text, confirmed } = body;
        const target = phoneId === undefined ? { order: bookingId } : { phone: phoneId };
        const outcome = await sendFirstMessage(
          context.db,
          viewer,
          target,
          { text, formKey: requestId, confirmed, ownHost: ownHostOf(context, request) },
          context.environment,
        );
        return messageResponse(outcome, "No such listing or booking.");
      },
    }),
  },
  "/messages/:id": {
    GET: operation({
      tag: "Messages",
      summary: "List a conversation’s messages",
      description: "Newest first. Nothing gets marked as read.",
      access: "signed in",
      params: idParams,
      query: listQuerySchema,
      response: z.array(messageRecord),
      paginated: true,
      errors: { 404: "You have no such conversation." },
      async handle({ request, context, viewer, params, query }) {
        if (!(await hasConversation(context.db, viewer, params.id)))
          return problemDetails(404, noConversation);
        return listResponse(request, query, {
          read: async (cursor, limit) =>
            (await findMessages(context.db, viewer, params.id, cursor, limit, ownHostOf(context, request))) ??
            [],
          record: toMessage,
        });
      },
    }),
    POST: operation({
      tag: "Messages",
      summary: "Send a message in a conversation",
      access: "signed in",
      params: idParams,
      body: apiMessageSchema,
      example: { text: "Yes, it does." },
      mutation: "message",
      response: sent,
      errors: {
        404: "You have no such conversation.",
        409: "You can’t message the other person, or the text needs to be `confirmed`.",
      },
      async handle({ request, context, viewer, params, body, requestId }) {
        const outcome = await sendMessage(
          context.db,
          viewer,
          params.id,
          { ...body, formKey: requestId, ownHost: ownHostOf(context, request) },
          context.environment,
        );
        return messageResponse(outcome, noConversation);
      },
    }),
  },
  "/messages/read/:id": {
    PUT: operation({
      tag: "Messages",
      summary: "Mark messages as read",
      access: "signed in",
      params: idParams,
      body: z.object({
        lastReadId: z.string().describe("The last message you’ve read. Newer ones stay unread."),
      }),
      example: { lastReadId: "MESSAGE" },
      mutation: "mark as read",
      response: acknowledgedSchema,
      errors: { 404: "You have no such conversation." },
      async handle({ context, viewer, params, body }) {
        const isOwn = await markConversationAsRead(context.db, viewer, params.id, body.lastReadId);
        return isOwn ? acknowledgedResponse() : problemDetails(404, noConversation);
      },
    }),
  },
  "/messages/block/:id": {
    PUT: operation({
      ...describedBlock,
      summary: "Block someone",
      description: "You can’t message each other anymore, in any conversation.",
      async handle({ context, viewer, params }) {
        return blockResponse(await blockOtherSide(context.db, viewer, params.id));
      },
    }),
    DELETE: operation({
      ...describedBlock,
      summary: "Unblock someone",
      async handle({ context, viewer, params }) {
        return blockResponse(await unblockOtherSide(context.db, viewer, params.id));
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
