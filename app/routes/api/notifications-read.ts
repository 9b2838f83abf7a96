import { readNotificationsSchema } from "#app/features/notifications/notification.schema.ts";
import { markNotificationsAsRead } from "#app/features/notifications/notifications.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { modifiedManyResponse, modifiedManySchema } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Notifications",
    summary: "Mark your notifications as read",
    description: "Ids of other people’s notifications are ignored.",
    access: "signed in",
    body: readNotificationsSchema,
    example: { ids: ["NOTIFICATION"] },
    mutation: "read notifications",
    response: modifiedManySchema,
    async handle({ context, viewer, body }) {
      return modifiedManyResponse(await markNotificationsAsRead(context.db, viewer, body.ids));
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
