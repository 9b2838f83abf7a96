import { z } from "zod";
import { selectNotifications } from "#app/features/notifications/notifications.server.ts";
import { notificationRecord, toNotification } from "./account-records.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Notifications",
    summary: "List your notifications",
    access: "signed in",
    query: pageQuery,
    response: z.array(notificationRecord),
    paginated: true,
    async handle({ request, context, viewer, query }) {
      const read = selectNotifications.bind(null, context.db, viewer);
      return listResponse(request, query, { read, record: toNotification });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
