import { z } from "zod";
import { freeText } from "#app/server/forms/schema-fields.ts";

/** How staff has settled what ledger and provider say differently. */
export const settleDifferenceSchema = z.object({
  intent: z.literal("settle"),
  difference: z.string(),
  reason: freeText("Reason", { max: 500, missing: "Reason required" }).min(1, "Reason required"),
});
