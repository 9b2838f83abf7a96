import { z } from "zod";
import { freeText } from "#app/server/forms/schema-fields.ts";

export const noteSchema = z.object({
  intent: z.literal("note"),
  note: freeText("Note", { missing: "Write a note" }).min(1, "Write a note"),
});
