import { z } from "zod";
import { notificationKinds } from "#app/db/enums.ts";

export const notificationKindSchema = z.enum(notificationKinds);

/** A statement has at most 100 parameters. */
const maxIds = 50;

export const readNotificationsSchema = z.object({
  ids: z
    .array(z.string({ error: "ids must be texts" }), { error: "ids must be an array" })
    .max(maxIds, `ids can name ${maxIds} notifications at most`)
    .optional()
    .describe("Leave it out to mark them all."),
});
