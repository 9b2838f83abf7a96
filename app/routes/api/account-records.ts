import { z } from "zod";
import { roleSchema } from "#app/features/accounts/account.schema.ts";
import type { UserRow } from "#app/features/administration/users.server.ts";
import { notificationKindSchema } from "#app/features/notifications/notification.schema.ts";
import type { Notification } from "#app/features/notifications/notifications.server.ts";
import { ticketStateSchema } from "#app/features/support-tickets/ticket.schema.ts";
import type { TicketDetails, TicketRow } from "#app/features/support-tickets/tickets.server.ts";
import { _id, recordNames } from "./record-fields.ts";

export const userRecord = z
  .object({ _id, name: z.string(), email: z.string(), userType: roleSchema })
  .register(recordNames, { id: "User" });

export function toUser({ id, name, email, userType }: UserRow) {
  return { _id: id, name, email, userType } satisfies z.infer<typeof userRecord>;
}

export const sellerRecord = userRecord
  .extend({
    verified: z.literal("yes").nullable().describe("Null until an administrator has verified the seller."),
  })
  .register(recordNames, { id: "Seller" });

export function toSeller(user: UserRow) {
  return { ...toUser(user), verified: user.verified ? "yes" : null } satisfies z.infer<typeof sellerRecord>;
}

export const ticketRecord = z
  .object({
    _id,
    name: z.string(),
    email: z.string(),
    details: z.string(),
    state: ticketStateSchema,
  })
  .register(recordNames, { id: "Report" });

export function toTicket({ id, ...fields }: TicketRow) {
  return { _id: id, ...fields } satisfies z.infer<typeof ticketRecord>;
}

export const ticketDetailsRecord = ticketRecord
  .extend({
    createdAt: z.iso.datetime(),
    messages: z
      .array(
        z.object({
          _id,
          text: z.string(),
          isAnswer: z.boolean(),
          author: z.string().nullable().describe("Who answered."),
          createdAt: z.iso.datetime(),
        }),
      )
      .describe("Answers and what the sender wrote back, oldest first."),
  })
  .register(recordNames, { id: "ReportDetails" });

export function toTicketDetails({ canBeAnswered: ___, createdAt, messages, ...ticket }: TicketDetails) {
  return {
    ...toTicket(ticket),
    createdAt: createdAt.toISOString(),
    messages: messages.map(({ id, createdAt, isDue: _, outcome: __, ...message }) => ({
      _id: id,
      ...message,
      createdAt: createdAt.toISOString(),
    })),
  } satisfies z.infer<typeof ticketDetailsRecord>;
}

export const notificationRecord = z
  .object({
    _id,
    kind: notificationKindSchema,
    text: z.string().describe("A sentence in English."),
    path: z.string().describe("The page it leads to."),
    createdAt: z.iso.datetime(),
    read: z.boolean(),
  })
  .register(recordNames, { id: "Notification" });

export function toNotification({ id, createdAt, isRead, ...fields }: Notification) {
  return { _id: id, ...fields, createdAt: createdAt.toISOString(), read: isRead } satisfies z.infer<
    typeof notificationRecord
  >;
}
