import { z } from "zod";
import { announcementAudiences } from "#app/db/enums.ts";
import { freeText } from "#app/server/forms/schema-fields.ts";

/** A message to one user or several. */
export const messageToUsersSchema = z.object({
  text: freeText("Message", { max: 500, missing: "Write a message" }).min(1, "Write a message"),
});

/** What all or all sellers read for some days, both included. */
export const announcementSchema = messageToUsersSchema
  .extend({
    audience: z.enum(announcementAudiences, { error: "Choose who reads it" }),
    from: z.iso.date({ error: "Choose the first day" }),
    to: z.iso.date({ error: "Choose the last day" }),
    notifies: z.boolean().default(false),
  })
  .refine(({ from, to }) => from <= to, { path: ["to"], error: "The last day is before the first" });

export type NewAnnouncement = z.infer<typeof announcementSchema>;
