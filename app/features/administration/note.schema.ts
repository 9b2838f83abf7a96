import { z } from "zod";
import { freeText } from "#app/server/forms/free-text.ts";

export const noteSchema = z.object({
  intent: z.literal("note"),
  note: freeText("Note", { missing: "Write a note" }).min(1, "Write a note"),
});
