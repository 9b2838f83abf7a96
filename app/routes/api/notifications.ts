import { z } from "zod";
import { readNotificationsSchema } from "#app/features/notifications/notification.schema.ts";
import {
  markNotificationsAsRead,
  selectNotifications,
} from "#app/features/notifications/notifications.server.ts";
import { notificationRecord, toNotification } from "./account-records.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import { modifiedManyResponse, modifiedManySchema } from "./results.ts";

const routes = defineApiRoutes({
  "/notifications": {
    GET: operation({
      tag: "Notifications",
      summary: "List your notifications",
      access: "signed in",
      query: listQuerySchema,
      response: z.array(notificationRecord),
      paginated: true,
      async handle({ request, context, viewer, query }) {
        const read = selectNotifications.bind(null, context.db, viewer);
        return listResponse(request, query, { read, record: toNotification });
      },
    }),
  },
  "/notifications/read": {
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
  },
});

export const loader = routes.loader;
export const action = routes.action;
