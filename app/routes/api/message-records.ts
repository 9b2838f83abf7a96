import { z } from "zod";
import { saleStatuses } from "#app/features/listings/status.rules.ts";
import type { ListedConversation, Message } from "#app/features/messages/conversations.server.ts";
import { _id, recordNames } from "./record-fields.ts";

export const conversationRecord = z
  .object({
    _id,
    phoneId: z.string().describe("The listing it’s about."),
    productName: z.string().describe("Brand and model."),
    status: z.enum([...saleStatuses, "removed"]).describe("The listing’s status."),
    other: z
      .string()
      .describe("The other person: a seller’s name, a buyer’s first name and initial, or Former member."),
    otherIsNew: z.boolean().describe("Whether their account is young and has completed no order."),
    unread: z.int().min(0),
    newestMessage: z.object({
      text: z.string().describe("Its first 200 characters. Empty if a moderator has hidden it."),
      isOwn: z.boolean(),
      createdAt: z.iso.datetime(),
    }),
  })
  .register(recordNames, { id: "Conversation" });

export function toConversation(conversation: ListedConversation) {
  const { conversationId, phoneId, productName, status, isRemoved, other, unread } = conversation;
  const { excerpt, isOwn, createdAt, otherIsNew } = conversation;
  return {
    _id: conversationId,
    phoneId,
    productName,
    status: isRemoved || status === null ? "removed" : status,
    other,
    otherIsNew,
    unread,
    newestMessage: { text: excerpt, isOwn, createdAt: createdAt.toISOString() },
  } satisfies z.infer<typeof conversationRecord>;
}

export const messageRecord = z
  .object({
    _id,
    text: z.string().describe("Empty if a moderator has hidden it."),
    hidden: z.boolean(),
    isOwn: z.boolean(),
    warning: z.string().nullable().describe("Why to be careful with it; null for most."),
    createdAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "Message" });

export function toMessage({ id, text, hidden, isOwn, warning, createdAt }: Message) {
  return {
    _id: id,
    text,
    hidden,
    isOwn,
    warning,
    createdAt: createdAt.toISOString(),
  } satisfies z.infer<typeof messageRecord>;
}

/** Names the conversation, which a first message starts. */
export const sent = z
  .object({ acknowledged: z.literal(true), conversationId: z.string() })
  .register(recordNames, { id: "Sent" });
